import { useState } from "react";

export const SHOWS = ["all", "waiting", "unread", "mine"] as const;
export type Show = (typeof SHOWS)[number];

/**
 * Which conversations are shown if the address does not choose: those that wait for an answer, if any do, else all. null: not known
 * yet. `waiting`: how many wait; `isUnknown`: it cannot be known.
 *
 * It is decided when the screen opens, and stays: otherwise answering the last one, or a new message, would change the list while
 * it is used. It is not in the address: a bookmark and another tab decide when they are opened.
 */
export function useFirstShow(waiting: number | undefined, isUnknown: boolean): Show | null {
  const [first, setFirst] = useState<Show | null>(null);
  if (first !== null) return first;
  if (waiting === undefined && !isUnknown) return null;
  const now = waiting !== undefined && waiting > 0 ? "waiting" : "all";
  setFirst(now);
  return now;
}
