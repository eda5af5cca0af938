import { twoDigits } from "../lib/format.ts";

interface History<Point extends { at: string }> {
  from: string;
  to: string;
  /** Seconds. */
  step: number;
  points: readonly Point[];
}

/** Every step of the span in order, with what is known of it. `at` in ms since 1970. */
export function atEachStep<Point extends { at: string }>({
  from,
  to,
  step,
  points,
}: History<Point>): { at: number; point: Point | null }[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / (step * 1_000)) + 1 }, (_, place) => {
    const at = first + place * step * 1_000;
    return { at, point: known.get(at) ?? null };
  });
}

/** A label short enough for an axis: "14:20", or over days "21.11". */
export function markOf(at: number, stepS: number): string {
  const date = new Date(at);
  const [one, other] =
    stepS < 3_600
      ? [date.getHours(), `:${twoDigits(date.getMinutes())}`]
      : [date.getDate(), `.${twoDigits(date.getMonth() + 1)}`];
  return `${twoDigits(one)}${other}`;
}
