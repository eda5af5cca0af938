/**
 * The lines of a chart: round amounts from 0 to at least the maximum, in four steps or fewer. `thousand` small units make the next
 * larger one: bytes are counted by 1024, bits per second by 1000.
 */
export function linesUpTo(most: number, thousand: 1000 | 1024 = 1024): number[] {
  if (most <= 0) return [0, thousand];
  const unit = thousand ** Math.min(4, Math.floor(Math.log(Math.max(most, 1)) / Math.log(thousand)));
  const inUnits = most / unit;
  const step = [...STEPS, thousand / MOST_STEPS].find((size) => size * MOST_STEPS >= inUnits) ?? inUnits / MOST_STEPS;
  const count = Math.ceil(inUnits / step);
  return Array.from({ length: count + 1 }, (_, place) => place * step * unit);
}

const MOST_STEPS = 4;
/** Fractions when a unit has just begun. The last step fills a whole one. */
const STEPS = [0.25, 0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200];
