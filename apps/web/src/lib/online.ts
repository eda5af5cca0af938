import { isActiveHandshake } from "@krug/domain/handshake";
import { availability } from "./availability.ts";

/** Whether a device is connected, as far as anybody knows: what a panel said before it fell silent is no longer so. */
export const isOnline = (lastHandshake: number | null, nowMs: number): boolean =>
  availability.isUp() && isActiveHandshake(lastHandshake, nowMs);
