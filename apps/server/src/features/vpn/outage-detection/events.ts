import { eventType } from "../../../platform/events.ts";

/** An interface's devices went offline at once, at `since`, ms: their networks seem to block it. */
export const reachLost = eventType<{ name: string; server: string; since: number }>("reach.lost");

/** Most of them are online again. */
export const reachBack = eventType<{ name: string; server: string; since: number; until: number }>("reach.back");
