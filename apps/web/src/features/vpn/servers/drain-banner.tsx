import type { StayReason } from "@krug/contract/vpn/drain";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { withReason } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { type Drain, SERVERS, stopDrain } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

/** The progress of a move of devices, or its result. `named`: also says from where. */
export function DrainBanner({ drain, named = false }: { drain: Drain; named?: boolean }) {
  const { drain: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const stopping = useCommand({
    mutationFn: () => stopDrain(drain),
    onError: (error) => void toast("bad", withReason(words.stopFailed, error, failure.silent)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
  const runs = drain.state === "running";
  const title = titleOf(drain, words);
  return (
    <Banner
      tone="move"
      live
      title={named ? `${drain.from.name}. ${title}` : title}
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
          <progress className={classes.progress} max={Math.max(1, drain.total)} value={drain.moved} aria-hidden />
          {drain.by !== null && <p>{words.by(drain.by)}</p>}
        </>
      )}
      {Object.entries(drain.stayed).map(([why, count]) => (
        <p key={why}>{words.stays[why as StayReason](count)}</p>
      ))}
    </Banner>
  );
}

function titleOf({ state, to, moved, total }: Drain, words: ReturnType<typeof useServersWords>["drain"]): string {
  if (state === "done") return words.done(to.name, moved);
  return words[state === "running" ? "runs" : "stopped"](to.name, moved, total);
}
