import { type Host, HostFailure } from "../../../hosts/host.ts";
import { refuseBecause } from "../../../platform/refusal.ts";

/** @throws Refusal server.unreachable */
export const occupiedOf = (host: Host) => host.occupied().catch(refuseUnreachable);

/** @throws Refusal server.unreachable for a machine that did not answer, else the given error */
export function refuseUnreachable(error: unknown): never {
  if (!(error instanceof HostFailure)) throw error;
  return refuseBecause("server.unreachable", error.why);
}
