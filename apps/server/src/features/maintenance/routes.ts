import type { Contract } from "@krug/contract/api";
import type { Db } from "../../platform/database/database.ts";
import type { Actor, Handlers } from "../../platform/http/call.ts";

interface Parts {
  db: Db;
  since(db: Db): Promise<number | null>;
  switchWithCode(actor: Actor, enabled: boolean, token: string): Promise<number | null>;
}

/** Other calls about the system stand beside these in the contract and are answered elsewhere. */
export type MaintenanceRoutes = Handlers<Pick<Contract["system"], "maintenance" | "setMaintenance">>;

export function makeMaintenanceRoutes(parts: Parts): MaintenanceRoutes {
  return {
    maintenance: async () => state(await parts.since(parts.db)),
    setMaintenance: async ({ actor, body }) => state(await parts.switchWithCode(actor, body.enabled, body.token)),
  };
}

const state = (since: number | null) => ({
  enabled: since !== null,
  since: since === null ? null : new Date(since).toISOString(),
});
