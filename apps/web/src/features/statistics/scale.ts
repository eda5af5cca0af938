/** The lines of a chart of bytes: round amounts from 0 to at least the most, four steps or fewer. */
export function linesUpTo(most: number): number[] {
  if (most <= 0) return [0, 1024];
  const unit = 1024 ** Math.min(4, Math.floor(Math.log(Math.max(most, 1)) / Math.log(1024)));
  const inUnits = most / unit;
  const step = STEPS.find((size) => size * MOST_STEPS >= inUnits) ?? inUnits / MOST_STEPS;
  const count = Math.ceil(inUnits / step);
  return Array.from({ length: count + 1 }, (_, place) => place * step * unit);
}

const MOST_STEPS = 4;
/** Up to 1024 in one unit; fractions where it has just begun. */
const STEPS = [0.25, 0.5, 1, 2, 5, 10, 20, 25, 50, 100, 200, 256];
