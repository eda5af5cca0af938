import { createHash } from "node:crypto";
import type { Incarnation } from "./control.ts";
import type { Link } from "./links.ts";
import type { Machine } from "./machine.ts";

/** Names the machine's run since its kernel was started; null where it does not tell. */
export const readRun = async (machine: Machine): Promise<string | null> =>
  (await machine.readFile("/proc/sys/kernel/random/boot_id"))?.trim() || null;

/**
 * Names the life of an interface's counters, which begin at zero with its link; null where the machine does not tell. Only what
 * cannot change while they stand is in it, for under another name all bytes count again: a kernel's link is not known by its
 * folder's time (docs/adr/0060-the-life-of-a-counter.md). A hash, which tells nothing of the machine.
 */
export function lifeOf(run: string | null, link: Link | undefined, incarnation: Incarnation | null): string | null {
  if (run === null || link === undefined || link.index === null || incarnation === null) return null;
  const socket = incarnation.kind === "socket" ? incarnation.identity : "";
  return createHash("sha256").update(`${run} ${link.index} ${socket}`).digest("base64").slice(0, 16);
}
