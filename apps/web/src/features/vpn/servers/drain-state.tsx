import { Button } from "@mantine/core";
import { DrainBanner } from "./drain-banner.tsx";
import { type Drain, isRunning, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useTakesNew } from "./use-takes-new.ts";
import { useServersWords } from "./words.ts";

/** The progress of the move of a server's devices; and that the server takes no new ones. */
export function DrainState({ server, drain }: { server: Server; drain: Drain | null }) {
  const { drain: words } = useServersWords();
  const turning = useTakesNew();
  return (
    <>
      {drain && (
        <div className={classes.trouble}>
          <DrainBanner drain={drain} />
        </div>
      )}
      {!server.takesNew && (
        <div className={classes.setUp}>
          <p>{words.closed}</p>
          {!(drain && isRunning(drain)) && (
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
