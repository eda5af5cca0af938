import { useId } from "react";
import { ageText } from "../../lib/format.ts";
import { useStatisticsWords } from "../../lib/i18n/statistics.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useNow } from "../../lib/use-now.ts";
import { Ring } from "../../ui/ring.tsx";
import { SERVER_RINGS } from "../servers/index.ts";
import type { Now } from "./queries.ts";
import classes from "./statistics.module.css";

/** How many are connected by each server, and of which one nobody knows for long or that does not answer. */
export function ServersNow({ servers }: { servers: Now["servers"] }) {
  const { servers: words } = useStatisticsWords();
  const { age } = useText();
  const nowMs = useNow(15_000);
  const titleId = useId();
  if (servers.length === 0) return null;
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <div className={classes.panelHead}>
        <h2 id={titleId}>{words.title}</h2>
      </div>
      <ul className={classes.rows}>
        {servers.map(({ id, name, online, pending, status, unreachableSince }) => (
          <li key={id}>
            <Ring state={SERVER_RINGS[status]} size={20} />
            <span className={classes.who}>
              <b>{name}</b>
              {unreachableSince !== null ? (
                <span className={classes.bad}>{words.away(ageText(Date.parse(unreachableSince), nowMs, age))}</span>
              ) : (
                <span>{status === "connected" ? words.online(online) : words.unknown[status]}</span>
              )}
            </span>
            {pending > 0 && <span className={classes.side}>{words.pending(pending)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
