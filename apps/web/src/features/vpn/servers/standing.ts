import type { RingState } from "../../../ui/ring.tsx";
import type { Server } from "./queries.ts";

/** A server's displayed state; `seen`: it was connected when the panel, which is silent now, last reported it. */
export type ShownStatus = Server["status"] | "seen";

/** A server's state as its ring. Its word is next to it. */
export const RINGS: Record<ShownStatus, RingState> = {
  connected: "on",
  pending: "wait",
  error: "bad",
  silent: "warn",
  seen: "idle",
};

export const shownStatus = (status: Server["status"], isPanelSilent: boolean): ShownStatus =>
  isPanelSilent && status === "connected" ? "seen" : status;

/** What devices connect to. */
export const endpointOf = ({ endpoint, defaultEndpoint }: Server): string | null => endpoint ?? defaultEndpoint;
