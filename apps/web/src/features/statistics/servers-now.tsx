import { clock } from "../../lib/format.ts";
import { useStatisticsWords } from "../../lib/i18n/statistics.ts";
import { Line, Lines } from "../../ui/lines.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { Now } from "./queries.ts";

/** How many are connected by each server, and which one does not answer. */
export function ServersNow({ servers }: { servers: Now["servers"] }) {
  const { servers: words } = useStatisticsWords();
  if (servers.length === 0) return null;
  return (
    <Panel title={words.title}>
      <Lines>
        {servers.map(({ id, name, online, pending, unreachableSince }) => (
          <Line key={id} ring={unreachableSince !== null ? "bad" : "on"} much={pending > 0 && words.pending(pending)}>
            <b>{name}</b>
            {unreachableSince === null ? (
              <span>{words.online(online)}</span>
            ) : (
              <span data-bad>{words.away(clock(Date.parse(unreachableSince)))}</span>
            )}
          </Line>
        ))}
      </Lines>
    </Panel>
  );
}
