import { shortDay, writtenShortDay } from "../../../lib/format.ts";
import { Banner } from "../../../ui/banner.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import { breakable } from "./breakable.tsx";
import type { BotState, GateSettings } from "./queries.ts";
import { useSystemWords } from "./words.ts";

/* The bot and the check at the entrance: what stands next to each name. */

export function botRing({ reason }: BotState): RingState {
  if (reason === null) return "done";
  return reason === "no_token" ? "never" : reason === "starting" ? "wait" : "bad";
}

export function BotAbout({ bot: { reason, botName } }: { bot: BotState }) {
  const { state: words } = useSystemWords();
  if (reason !== null) return breakable(words.reasons[reason]);
  return botName === null ? words.botOn : words.botWorks(botName);
}

export function gateRing(gate: GateSettings): RingState {
  if (gate.untrustedForwardingSince !== null || gate.unreadableForwardingSince !== null) return "bad";
  return gate.enabled ? "done" : "never";
}

export function GateAbout({ gate, services }: { gate: GateSettings; services: readonly string[] }) {
  const { state: words } = useSystemWords();
  const builtOn = gate.countriesBuiltAt === null ? null : shortDay(new Date(gate.countriesBuiltAt));
  const listOf = gate.hostingListOf === null ? null : writtenShortDay(gate.hostingListOf);
  return (
    <>
      {breakable(gate.enabled ? words.gateOn : words.gateOff)}
      {gate.enabled && (
        <>
          <small>{words.gateData(builtOn, listOf)}</small>
          <small>
            {words.asks(services.length)} ({breakable(words.environment("GEO_SERVICES"))})
          </small>
        </>
      )}
      {gate.untrustedForwardingSince !== null && <Banner tone="broken" title={words.forwarding} />}
      {gate.unreadableForwardingSince !== null && <Banner tone="broken" title={words.unreadable} />}
    </>
  );
}
