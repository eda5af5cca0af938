import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Audit } from "../audit/index.ts";
import type { Settings } from "../settings/index.ts";
import type { TwoFactor } from "../two-factor/index.ts";
import { maintenanceSwitched } from "./events.ts";
import { type MaintenanceRoutes, makeMaintenanceRoutes } from "./routes.ts";
import { makeSwitchWithCode } from "./switch-with-code.ts";

export { maintenanceSwitched } from "./events.ts";

export interface Maintenance {
  isOn(db: Db): Promise<boolean>;
  /** `actorId` null for the command line. Switching on what is on keeps the time since when. Answers that time, ms. */
  set(tx: Tx, enabled: boolean, actorId: string | null): Promise<number | null>;
  /** The calls about it; the two-factor check comes later in the order of things. */
  routes(twoFactor: TwoFactor): MaintenanceRoutes;
}

/** Maintenance, a setting on the server (decisions, section 11): members wait, staff work, tunnels go on. */
export function makeMaintenance(parts: {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  settings: Settings;
  audit: Audit;
}): Maintenance {
  const { clock, events, settings, audit } = parts;
  const since = async (db: Db) => (await settings.read(db)).maintenanceSince;

  const set = async (tx: Tx, enabled: boolean, actorId: string | null): Promise<number | null> => {
    const { maintenanceSince: before } = await settings.read(tx);
    const after = enabled ? (before ?? clock.now().getTime()) : null;
    await settings.write(tx, { maintenanceSince: after });
    await audit.record(tx, {
      actorId,
      action: "maintenance.switched",
      before: { enabled: before !== null },
      after: { enabled },
    });
    await events.record(tx, maintenanceSwitched, { enabled, since: after ?? before });
    return after;
  };

  return {
    isOn: async (db) => (await since(db)) !== null,
    set,
    routes: (twoFactor) =>
      makeMaintenanceRoutes({ db: parts.db, since, switchWithCode: makeSwitchWithCode({ ...parts, twoFactor, set }) }),
  };
}
