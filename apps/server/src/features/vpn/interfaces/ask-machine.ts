import { reason } from "@krug/domain/reasons";
import { type Host, HostFailure } from "../../../hosts/host.ts";
import { refuseBecause } from "../../../platform/refusal.ts";

/** @throws Refusal server.unreachable */
export const occupiedOf = (host: Host) => host.occupied().catch(refuseUnreachable);

/** @throws Refusal server.unreachable for a machine that did not answer, else the given error */
export function refuseUnreachable(error: unknown): never {
  if (!(error instanceof HostFailure)) throw error;
  return refuseBecause("server.unreachable", error.why);
}

/** Only a kernel routes. @throws Refusal */
export async function refuseUnroutable(host: Host): Promise<void> {
  const { backend } = await host.inspect().catch(refuseUnreachable);
  if (backend === "netstack") refuseBecause("interface.cannot_route", reason("routing.no_kernel"));
}
