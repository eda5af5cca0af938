import { reason } from "@krug/domain/reasons";
import { type Host, HostFailure } from "../../../hosts/host.ts";
import type { Db } from "../../../platform/database/database.ts";
import { olderPanels } from "../../../platform/database/running-panels.ts";
import { refuseBecause } from "../../../platform/refusal.ts";

/** @throws Refusal server.unreachable */
export const occupiedOf = (host: Host) => host.occupied().catch(refuseUnreachable);

/** @throws Refusal server.unreachable for a machine that did not answer, else the given error */
export function refuseUnreachable(error: unknown): never {
  if (!(error instanceof HostFailure)) throw error;
  return refuseBecause("server.unreachable", error.why);
}

/** Only a kernel routes, and only panels that know how. @throws Refusal */
export async function refuseUnroutable(db: Db, host: Host): Promise<void> {
  if ((await olderPanels(db)) > 0) refuseBecause("interface.cannot_route", reason("routing.older_panel"));
  const { backend } = await host.inspect().catch(refuseUnreachable);
  if (backend === "netstack") refuseBecause("interface.cannot_route", reason("routing.no_kernel"));
}
