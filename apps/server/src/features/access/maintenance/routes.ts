import type { Contract } from "@krug/contract/api";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Maintenance } from "./index.ts";
import { makeSwitchWithCode, type SwitchParts } from "./switch-with-code.ts";

interface Parts extends SwitchParts {
  db: Db;
  maintenance: Maintenance;
}

/** The contract's other calls about the system are answered elsewhere. */
type OwnCalls = Pick<Contract["system"], "maintenance" | "setMaintenance">;

export function makeMaintenanceRoutes(parts: Parts): Handlers<OwnCalls> {
  const { db, maintenance } = parts;
  const switchWithCode = makeSwitchWithCode(parts);
  return {
    maintenance: async () => state(await maintenance.since(db)),
    setMaintenance: async ({ actor, body }) => state(await switchWithCode(actor, body.enabled, body.token)),
  };
}

const state = (since: number | null) => ({
  enabled: since !== null,
  since: isoOf(since),
});
