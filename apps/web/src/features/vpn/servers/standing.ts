import type { RingState } from "../../../ui/ring.tsx";
import type { Server } from "./queries.ts";

/** What is shown of a server's state; `seen`: it was connected when the panel, which is silent now, last said so. */
export type ShownStatus = Server["status"] | "seen";

/** A server's state as the ring shows it; its word is beside it. */
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
