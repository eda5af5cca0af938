import type { History } from "./queries.ts";

type Point = History["points"][number];

/** One quantity over all points, of which there is at least one: its mean, and when it was highest. */
export function inTheSpan(points: readonly Point[], of: (point: Point) => number) {
  const top = points.reduce((highest, point) => (of(point) > of(highest) ? point : highest));
  const sum = points.reduce((total, point) => total + of(point), 0);
  return { mean: sum / points.length, most: of(top), at: top.at };
}
