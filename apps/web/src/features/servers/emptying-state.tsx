import type { StayReason } from "@krug/contract/emptying";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { type Emptying, SERVERS, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useTakesNew } from "./use-takes-new.ts";
import { useServersWords } from "./words.ts";

/** How far the move of a server's devices is, or what came of it; and that the server takes no new ones. */
export function EmptyingState({ server, emptying }: { server: Server; emptying: Emptying | null }) {
  const { emptying: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const turning = useTakesNew();
  const stopping = useCommand({
    mutationFn: () => api("POST /admin/servers/{id}/empty/stop", { params: { id: server.id } }),
    onError: (error) => void toast("bad", withReason(words.stopFailed, error, failure.silent)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
  const runs = emptying?.state === "running";
  return (
    <>
      {emptying && (
        <div className={classes.trouble}>
          <Banner
            tone="move"
            live
            title={titleOf(emptying, words)}
            action={
              runs && (
                <Button variant="outline" loading={stopping.isPending} onClick={() => stopping.mutate()}>
                  {words.stop}
                </Button>
              )
            }
          >
            {runs && (
              <>
                <progress
                  className={classes.progress}
                  max={Math.max(1, emptying.total)}
                  value={emptying.moved}
                  aria-hidden
                />
                {emptying.by !== null && <p>{words.by(emptying.by)}</p>}
              </>
            )}
            {Object.entries(emptying.stayed).map(([why, count]) => (
              <p key={why}>{words.stays[why as StayReason](count)}</p>
            ))}
          </Banner>
        </div>
      )}
      {!server.takesNew && (
        <div className={classes.setUp}>
          <p>{words.closed}</p>
          {!runs && (
            <Button
              variant="outline"
              aria-label={`${words.open}: ${server.name}`}
              loading={turning.isPending}
              onClick={() => turning.mutate({ server, takesNew: true })}
            >
              {words.open}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function titleOf({ state, to, moved, total }: Emptying, words: ReturnType<typeof useServersWords>["emptying"]): string {
  if (state === "done") return words.done(to.name, moved);
  return words[state === "running" ? "runs" : "stopped"](to.name, moved, total);
}
