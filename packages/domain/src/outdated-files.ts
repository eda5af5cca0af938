import { DAY_MS } from "./moment.ts";

/** A changed list asks for a device's file, and notifies its owner, at most this often. */
export const MARK_EVERY_MS = 7 * DAY_MS;

interface Mark {
  /** When a list last marked the device's file, ms; null: never. */
  marked_at: number | null;
  /** When the week of that mark began. */
  week_at: number | null;
}

/** When a file that lacks something may be marked, ms. */
export const markableFrom = (mark: Mark | undefined): number =>
  mark?.marked_at == null ? Number.NEGATIVE_INFINITY : mark.marked_at + MARK_EVERY_MS;

/** The week that a mark made now belongs to, given the marks of all of the member's devices: one notice is for all of it. */
export function weekOf(marks: readonly Mark[], now: number): number {
  const latest = Math.max(...marks.map(({ week_at }) => week_at ?? Number.NEGATIVE_INFINITY));
  return latest > now - MARK_EVERY_MS ? latest : now;
}
