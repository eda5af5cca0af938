import { useQuery } from "@tanstack/react-query";
import { ageText } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useFold } from "../../../ui/use-fold.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { useViewed } from "../../club/staff/index.ts";
import { serversQuery } from "./queries.ts";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

/** Whether each server has the current rules, and why not. */
export function ServersPanel() {
  const { servers: words } = useRulesWords();
  const { age } = useText();
  const nowMs = useNow(15_000);
  const liveRing = useLiveRing();
  const { viewedRole } = useViewed();
  const servers = useQuery(serversQuery(viewedRole));
  const { shown, more } = useFold(servers.data ?? [], ({ state }) => state !== "in_force");
  return (
    <Panel title={words.title}>
      {servers.isError && (
        <LoadFailed title={words.failed} error={servers.error} onRetry={() => void servers.refetch()} />
      )}
      {servers.data?.length === 0 && <p className={classes.quiet}>{words.none}</p>}
      <ul className={classes.servers} aria-live="polite">
        {shown.map(({ id, name, state, appliedAt, why }) => (
          <li key={id}>
            <Ring state={liveRing(state === "in_force" ? "done" : why === null ? "wait" : "warn")} size={22} />
            <div className={classes.what}>
              <b>{name}</b>
              <span
                className={classes.state}
                data-state={state !== "in_force" ? "warn" : liveRing("done") === "done" ? "good" : undefined}
              >
                {state === "in_force" ? words.inForce : words.pending}
              </span>
              {state === "in_force" && appliedAt !== null && (
                <span className={classes.state}>{words.since(ageText(Date.parse(appliedAt), nowMs, age))}</span>
              )}
              {why !== null && (
                <span className={classes.state}>
                  <Reason why={why} />
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
      {more}
    </Panel>
  );
}
