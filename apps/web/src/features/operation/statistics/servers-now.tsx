import { ageText } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useFold } from "../../../ui/use-fold.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { SERVER_RINGS } from "../../vpn/servers/index.ts";
import type { Now } from "./queries.ts";
import { useStatisticsWords } from "./words.ts";

/** How many devices are connected through each server, and which servers are silent or do not answer. */
export function ServersNow({ servers }: { servers: Now["servers"] }) {
  const { servers: words } = useStatisticsWords();
  const { age } = useText();
  const nowMs = useNow(15_000);
  const liveRing = useLiveRing();
  const isSilent = useSilentSince() !== null;
  const { shown, more } = useFold(servers, ({ status }) => status !== "connected");
  if (servers.length === 0) return null;
  return (
    <Panel title={words.title}>
      <Lines>
        {shown.map(({ id, name, online, pending, status, unreachableSince }) => (
          <Line key={id} ring={liveRing(SERVER_RINGS[status])} much={pending > 0 && words.pending(pending)}>
            <b>{name}</b>
            {unreachableSince !== null ? (
              <span data-bad>{words.away(ageText(Date.parse(unreachableSince), nowMs, age))}</span>
            ) : (
              <span>
                {status === "connected" ? (isSilent ? words.wasOnline : words.online)(online) : words.unknown[status]}
              </span>
            )}
          </Line>
        ))}
      </Lines>
      {more}
    </Panel>
  );
}
