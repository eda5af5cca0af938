import { MINUTE_MS } from "./moment.ts";

/**
 * One sample of an interface's devices: how many should be online, and how many are. `expected`: on the wire, with a handshake
 * within `REACH_EXPECTED_MS`. So a device that left permanently stops counting, and one that sleeps at night still counts.
 */
export interface ReachSample {
  /** ms since 1970. */
  at: number;
  expected: number;
  online: number;
}

export const REACH_EXPECTED_MS = 24 * 60 * MINUTE_MS;
export const REACH_STEP_MS = 5 * MINUTE_MS;

/** Night comes over hours, a block within minutes: samples are compared with what was online this long before. */
const BEFORE_MS = 15 * MINUTE_MS;
/** One sample may be odd; two in a row are not. */
const LOOKS = 2;
/** Fewer devices than this vanish by themselves: a family goes to bed. */
const LEAST_GONE = 5;
const FELL_TO = 0.5;
const BACK_TO = 0.7;

/** When an interface's devices went, ms, and what share of them was online before. */
export interface Cliff {
  since: number;
  share: number;
}

const shareOf = ({ expected, online }: ReachSample) => (expected === 0 ? 0 : online / expected);

/** The last samples, if there are enough without a gap: a stopped panel knows nothing of the time between. */
function latest(samples: readonly ReachSample[]): readonly ReachSample[] | null {
  const last = samples.slice(-LOOKS);
  const [first] = last;
  if (first === undefined || last.length < LOOKS) return null;
  return last.every(({ at }, place) => at - first.at <= 1.5 * REACH_STEP_MS * place) ? last : null;
}

/**
 * Whether an interface's devices went offline at once. Shares are compared, so a device that moves to another interface does not
 * count as gone. `samples`: oldest first.
 */
export function cliffIn(samples: readonly ReachSample[]): Cliff | null {
  const last = latest(samples);
  const [fallen] = last ?? [];
  if (last === null || fallen === undefined) return null;
  const before = samples.filter(({ at }) => at < fallen.at && at >= fallen.at - BEFORE_MS);
  const share = Math.max(0, ...before.map(shareOf));
  const hasFallen = last.every(
    (sample) => shareOf(sample) <= share * FELL_TO && sample.expected * (share - shareOf(sample)) >= LEAST_GONE,
  );
  return hasFallen ? { since: fallen.at, share } : null;
}

/** Whether they are back; a device that does not come back within a day is no longer expected. */
export function isOver({ since, share }: Cliff, samples: readonly ReachSample[]): boolean {
  const last = latest(samples);
  const newest = samples.at(-1);
  if (newest !== undefined && newest.at - since >= REACH_EXPECTED_MS) return true;
  return last?.every((sample) => shareOf(sample) >= share * BACK_TO) ?? false;
}
