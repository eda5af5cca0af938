import { addressesRunLow } from "@krug/domain/address-pool";
import { Ring, type RingState } from "../../ui/ring.tsx";
import { Standing, type Tone } from "../../ui/standing.tsx";
import type { Interface, Server } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { useInterfacesWords } from "./words.ts";

export type State = "on" | "off" | "conflict" | "waiting";

const RINGS: Record<State, RingState> = { on: "on", off: "idle", conflict: "bad", waiting: "wait" };
const TONES: Record<State, Tone> = { on: "good", off: null, conflict: "bad", waiting: "move" };

/** An interface's state on its machine, as of the last look. */
export function stateOf({ isActive, conflict }: Interface, status: Server["status"]): State {
  if (!isActive) return "off";
  if (conflict !== null) return "conflict";
  return status === "connected" ? "on" : "waiting";
}

export const StateRing = ({ state, size = 20 }: { state: State; size?: number }) => (
  <Ring state={RINGS[state]} size={size} />
);

/** The state in words; of one that did not come up also why, and of one that fills up how many more it takes. */
export function StateWords({ row, state, ring = false }: { row: Interface; state: State; ring?: boolean }) {
  const words = useInterfacesWords();
  const free = Math.max(0, row.capacity - row.configCount);
  return (
    <span className={classes.stateCell}>
      <Standing tone={TONES[state]} ring={ring ? RINGS[state] : undefined}>
        {words.states[state]}
      </Standing>
      {state === "conflict" && row.conflict !== null && (
        <span className={classes.reason}>{words.conflictMore(row.conflict)}</span>
      )}
      {addressesRunLow(free, row.capacity) && <span className={classes.reason}>{words.runsLow(free)}</span>}
    </span>
  );
}
