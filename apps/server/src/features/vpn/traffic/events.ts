import { eventType } from "../../../platform/events.ts";

/** When something was counted: the hour's start (ms) or the day, and the previous one; 0 or "": never. */
interface Step<At> {
  at: At;
  before: At;
}

/** One config's part of a count. */
export interface Counted {
  configId: string;
  /** Bytes since the last count, as the server sees them; both 0 if only the handshake is new. */
  rx: number;
  tx: number;
  /** The last one, ms; null if there never was one. */
  lastHandshakeAt: number | null;
  hour: Step<number>;
  day: Step<string>;
}

/** Devices were used; each config is in it at most once. */
export const trafficCounted = eventType<readonly Counted[]>("traffic.counted");

/** Configs whose devices connected for the first time. */
export const devicesConnected = eventType<readonly string[]>("traffic.devices_connected");

/** What was counted in the future under a clock that was ahead has moved to this hour and day. */
export const trafficBroughtBack = eventType<{ hour: number; day: string }>("traffic.brought_back");

/** Data older than this hour (ms) and this day was removed. */
export const trafficForgotten = eventType<{ hour: number; day: string }>("traffic.forgotten");
