import { addressesRunLow } from "@krug/domain/address-pool";
import { keepsDevicesOff } from "@krug/domain/probe";
import { availability } from "../../../lib/availability.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { sinceText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { Standing } from "../../../ui/standing.tsx";
import { ExitsNow } from "../exits/index.ts";
import type { Interface, Server } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { useInterfacesWords } from "./words.ts";

/** `seen`: it was up when the panel, which is silent now, last reported it. */
export type State = "on" | "off" | "conflict" | "waiting" | "unreachable" | "seen";

const RINGS: Record<State, RingState> = {
  on: "on",
  off: "idle",
  conflict: "bad",
  waiting: "wait",
  unreachable: "bad",
  seen: "idle",
};

/** An interface's state on its machine, as of the last check and the last handshake with it. */
export function stateOf({ isActive, conflict, probe }: Interface, status: Server["status"]): State {
  if (!isActive) return "off";
  if (conflict !== null) return "conflict";
  if (status !== "connected") return "waiting";
  if (probe !== null && keepsDevicesOff(probe.state)) return "unreachable";
  return availability.isUp() ? "on" : "seen";
}

export const StateRing = ({ state, size = 20 }: { state: State; size?: number }) => (
  <Ring state={RINGS[state]} size={size} />
);

/** The state as text; if it did not come up also why, and if it fills up how many more devices it takes. */
export function StateWords({ row, state, ring = false }: { row: Interface; state: State; ring?: boolean }) {
  const words = useInterfacesWords();
  const { language } = useSpeech();
  const said = (ms: number) => sinceText(ms, clubNow(), language);
  const free = Math.max(0, row.capacity - row.configCount);
  return (
    <span className={classes.stateCell}>
      <Standing state={RINGS[state]} ring={ring}>
        {words.states[state]}
      </Standing>
      {state === "conflict" && row.why !== null && (
        <span className={classes.reason}>
          {words.conflictMore} <Reason why={row.why} />
        </span>
      )}
      {(state === "on" || state === "unreachable") && (
        <span className={classes.reason}>{probeText(row, words, said)}</span>
      )}
      {state === "on" && row.routing === "server" && <ExitsNow entryId={row.serverId} className={classes.reason} />}
      {row.goneSince !== null && (
        <span className={classes.gone}>{words.reach.gone(said(Date.parse(row.goneSince)))}</span>
      )}
      {!row.takesNew && <span className={classes.reason}>{words.closed}</span>}
      {addressesRunLow(free, row.capacity) && <span className={classes.reason}>{words.runsLow(free)}</span>}
    </span>
  );
}

/** What the last handshake with it showed, and what to do. `said`: a time as used after 'since'. */
function probeText(
  { probe, listenPort }: Interface,
  { probe: words }: ReturnType<typeof useInterfacesWords>,
  said: (ms: number) => string,
): string {
  if (probe === null) return words.none;
  const since = said(Date.parse(probe.since));
  switch (probe.state) {
    case "answers":
      return (probe.fromInside ? words.inside : words.answers)(since);
    case "closed":
      return (probe.fromInside ? words.closedInside : words.closed)(listenPort, since);
    case "not_running":
      return words.notRunning(listenPort, since);
    default:
      return words[probe.state](since);
  }
}
