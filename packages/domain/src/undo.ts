import { SECOND_MS } from "./moment.ts";

/** How long a page offers to undo a confirmation or an extension. */
export const UNDO_MS = 10 * SECOND_MS;
/** What the answer and the press may take on their ways; the notice of what can be undone leaves the panel only after it. */
export const UNDO_UNTIL_MS = UNDO_MS + 5 * SECOND_MS;

/** Whether something done at `at`, ms, can be undone; a clock that was set back does not forbid it. */
export const canUndo = (at: number, now: number): boolean => now - at <= UNDO_UNTIL_MS;
