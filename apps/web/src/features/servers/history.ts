import type { History } from "./queries.ts";

type Point = History["points"][number];

/** Every step of the span in its order, with what is known of it; `at` in ms since 1970. */
export function atEachStep({ from, to, step, points }: History): { at: number; point: Point | null }[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / (step * 1_000)) + 1 }, (_, place) => {
    const at = first + place * step * 1_000;
    return { at, point: known.get(at) ?? null };
  });
}

/** One amount over all points, of which there is at least one: its mean, and when it was most. */
export function inTheSpan(points: readonly Point[], of: (point: Point) => number) {
  const top = points.reduce((highest, point) => (of(point) > of(highest) ? point : highest));
  const sum = points.reduce((total, point) => total + of(point), 0);
  return { mean: sum / points.length, most: of(top), at: top.at };
}
