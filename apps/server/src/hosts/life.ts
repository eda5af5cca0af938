import { createHash } from "node:crypto";
import type { Incarnation } from "./control.ts";
import type { Link } from "./links.ts";
import type { Machine } from "./machine.ts";

/** Identifies the machine's run since its kernel started; null if the machine does not provide it. */
export const readRun = async (machine: Machine): Promise<string | null> =>
  (await machine.readFile("/proc/sys/kernel/random/boot_id"))?.trim() || null;

/**
 * Identifies the life of an interface's counters, which start at zero with its link; null if the machine does not provide it. It
 * only contains what cannot change while the link exists, because under a new id all bytes count again: so not the time of a
 * kernel link's folder (docs/adr/0060-the-life-of-a-counter.md). A hash, which reveals nothing about the machine.
 */
export function lifeOf(run: string | null, link: Link | undefined, incarnation: Incarnation | null): string | null {
  if (run === null || link === undefined || link.index === null || incarnation === null) return null;
  const socket = incarnation.kind === "socket" ? incarnation.identity : "";
  return createHash("sha256").update(`${run} ${link.index} ${socket}`).digest("base64").slice(0, 16);
}
