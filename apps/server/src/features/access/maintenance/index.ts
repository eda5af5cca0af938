import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import { maintenanceSwitched } from "./events.ts";

export { maintenanceSwitched } from "./events.ts";
export { makeSwitchWithCode } from "./switch-with-code.ts";

export interface Maintenance {
  isOn(db: Db): Promise<boolean>;
  /** What `isOn` decides by, in memory; undefined if it would query the database. */
  decidedBy(): object | undefined;
  /** ms since 1970; null if there is none. */
  since(db: Db): Promise<number | null>;
  /** `actorId` is null for the command line. Switching on again keeps the start. Returns the start, ms. */
  set(tx: Tx, enabled: boolean, actorId: string | null): Promise<number | null>;
}

/** Maintenance, a setting on the server (decisions, section 11): members wait, staff work, tunnels keep running. */
export function makeMaintenance(parts: Platform & { settings: Settings; audit: Audit }): Maintenance {
  const { clock, events, settings, audit } = parts;
  const since = async (db: Db) => (await settings.read(db)).maintenanceSince;

  const set = async (tx: Tx, enabled: boolean, actorId: string | null): Promise<number | null> => {
    const { maintenanceSince: before } = await settings.read(tx);
    const after = enabled ? (before ?? clock.now().getTime()) : null;
    await settings.write(tx, { maintenanceSince: after });
    await audit.record(tx, actorId, "maintenance.switched", {
      before: { enabled: before !== null },
      after: { enabled },
    });
    await events.record(tx, maintenanceSwitched, { enabled, since: after ?? before });
    return after;
  };

  return {
    isOn: async (db) => (await settings.read(db)).maintenanceSince !== null,
    decidedBy: settings.latest,
    since,
    set,
  };
}
