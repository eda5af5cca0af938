import { isOnline } from "../../../lib/online.ts";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { Standing } from "../../../ui/standing.tsx";
import type { ListedConfig } from "./queries.ts";
import { type ConfigsBrowserWords, useConfigsBrowserWords } from "./words.ts";

type State = keyof ConfigsBrowserWords["states"];

const RINGS: Record<State, RingState> = {
  on: "on",
  idle: "idle",
  never: "never",
  pending: "wait",
  off: "warn",
  blocked: "bad",
  dormant: "warn",
  ended: "warn",
};

/** A config's state: what needs attention comes first. */
export function stateOf({ isBlocked, dormant, ends, state, stats }: ListedConfig, nowMs: number): State {
  if (isBlocked) return "blocked";
  if (dormant !== null) return ends?.isOver ? "ended" : "dormant";
  if (state !== "applied") return state;
  if (stats.lastHandshake === null) return "never";
  return isOnline(stats.lastHandshake, nowMs) ? "on" : "idle";
}

export const StateRing = ({ state, size = 20 }: { state: State; size?: number }) => (
  <Ring state={RINGS[state]} size={size} />
);

export function StateWords({ config, nowMs, ring = false }: { config: ListedConfig; nowMs: number; ring?: boolean }) {
  const { states, stale } = useConfigsBrowserWords();
  const state = stateOf(config, nowMs);
  return (
    <Standing state={RINGS[state]} ring={ring} note={config.needsDownload && stale}>
      {states[state]}
    </Standing>
  );
}
