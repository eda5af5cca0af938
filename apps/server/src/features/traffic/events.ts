import { eventType } from "../../platform/events.ts";

/** Devices were used: what each received and sent since the last count, in bytes, and its last handshake (ms), if any. */
export const trafficCounted =
  eventType<readonly { configId: string; bytes: number; lastHandshakeAt: number | null }[]>("traffic.counted");
