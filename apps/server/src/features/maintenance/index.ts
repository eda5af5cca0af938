import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Signals } from "../../platform/signals.ts";
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

/** Every member's call asks; where a panel did not hear of another's switch, it is noticed this late. */
const KNOWN_FOR_MS = 1_000;
const SWITCHED = "maintenance.switched";

/** Maintenance, a setting on the server (decisions, section 11): members wait, staff work, tunnels go on. */
export function makeMaintenance(parts: {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  signals: Signals;
  settings: Settings;
  audit: Audit;
}): Maintenance {
  const { clock, events, signals, settings, audit } = parts;
  let known: { since: number | null; until: number } | null = null;
  let switches = 0;
  const forget = () => {
    switches += 1;
    known = null;
  };
  signals.on(SWITCHED, forget);
  signals.onGap(forget);

  /** ms since 1970, or null when there is none. */
  const since = async (db: Db): Promise<number | null> => {
    // Real time and not the club's clock: this is about how old a copy is.
    if (known !== null && performance.now() < known.until) return known.since;
    const asked = switches;
    const { maintenanceSince } = await settings.read(db);
    // What was read before a switch must not be remembered after it.
    if (asked === switches) known = { since: maintenanceSince, until: performance.now() + KNOWN_FOR_MS };
    return maintenanceSince;
  };

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
    // First, so that who comes back when told of it finds it switched.
    signals.send(tx, SWITCHED);
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
