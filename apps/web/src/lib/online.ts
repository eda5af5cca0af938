import { isActiveHandshake } from "@krug/domain/handshake";
import { availability } from "./availability.ts";

/** Whether a device is known to be connected. What a panel reported before it fell silent no longer counts. */
export const isOnline = (lastHandshake: number | null, nowMs: number): boolean =>
  availability.isUp() && isActiveHandshake(lastHandshake, nowMs);
