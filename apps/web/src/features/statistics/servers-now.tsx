import { useId } from "react";
import { clock } from "../../lib/format.ts";
import { useStatisticsWords } from "../../lib/i18n/statistics.ts";
import { Ring } from "../../ui/ring.tsx";
import type { Now } from "./queries.ts";
import classes from "./statistics.module.css";

/** How many are connected by each server, and which one does not answer. */
export function ServersNow({ servers }: { servers: Now["servers"] }) {
  const { servers: words } = useStatisticsWords();
  const titleId = useId();
  if (servers.length === 0) return null;
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <div className={classes.panelHead}>
        <h2 id={titleId}>{words.title}</h2>
      </div>
      <ul className={classes.rows}>
        {servers.map(({ id, name, online, pending, unreachableSince }) => (
          <li key={id}>
            <Ring state={unreachableSince !== null ? "bad" : "on"} size={20} />
            <span className={classes.who}>
              <b>{name}</b>
              {unreachableSince === null ? (
                <span>{words.online(online)}</span>
              ) : (
                <span className={classes.bad}>{words.away(clock(Date.parse(unreachableSince)))}</span>
              )}
            </span>
            {pending > 0 && <span className={classes.side}>{words.pending(pending)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
