import type { Contract } from "@krug/contract/api";
import type { Handlers } from "../../platform/http/call.ts";
import type { Maintenance } from "./index.ts";

/** The health of the panel stands beside these in the contract and is answered elsewhere. */
export function makeMaintenanceRoutes(maintenance: Maintenance): Handlers<Omit<Contract["system"], "health">> {
  return {
    maintenance: async () => state(await maintenance.since()),
    setMaintenance: async ({ actor, body }) => state(await maintenance.switchWithCode(actor, body.enabled, body.token)),
  };
}

const state = (since: number | null) => ({
  enabled: since !== null,
  since: since === null ? null : new Date(since).toISOString(),
});
