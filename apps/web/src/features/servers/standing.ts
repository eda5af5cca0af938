import type { RingState } from "../../ui/ring.tsx";
import type { Server } from "./queries.ts";

/** A server's state as the ring shows it; its word is beside it. */
export const RINGS: Record<Server["status"], RingState> = {
  connected: "on",
  pending: "wait",
  error: "bad",
  silent: "warn",
};

/** What devices connect to. */
export const endpointOf = ({ endpoint, defaultEndpoint }: Server): string | null => endpoint ?? defaultEndpoint;
