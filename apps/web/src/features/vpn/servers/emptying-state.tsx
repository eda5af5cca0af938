import { Button } from "@mantine/core";
import { EmptyingBanner } from "./emptying-banner.tsx";
import { type Emptying, isRunning, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useTakesNew } from "./use-takes-new.ts";
import { useServersWords } from "./words.ts";

/** How far the move of a server's devices is; and that the server takes no new ones. */
export function EmptyingState({ server, emptying }: { server: Server; emptying: Emptying | null }) {
  const { emptying: words } = useServersWords();
  const turning = useTakesNew();
  return (
    <>
      {emptying && (
        <div className={classes.trouble}>
          <EmptyingBanner emptying={emptying} />
        </div>
      )}
      {!server.takesNew && (
        <div className={classes.setUp}>
          <p>{words.closed}</p>
          {!(emptying && isRunning(emptying)) && (
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
