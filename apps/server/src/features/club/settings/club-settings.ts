import { firstValues, type ValuesOf } from "@krug/domain/fields/field";
import { CLUB_SETTINGS, OTHER_SETTINGS } from "@krug/domain/fields/settings";
import { forEachSwitch, type ModeratorSwitch } from "@krug/domain/staff-actions";
import { makeCached } from "../../../platform/cached.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { Signals } from "../../../platform/signals.ts";

type SettingTables = {
  settings: { name: string; value: string; changed_at: number };
};

const FIELDS = { ...CLUB_SETTINGS, ...OTHER_SETTINGS };

/** An admin's settings, and moderators' extra rights (decisions, section 2). */
export interface ClubSettings extends ValuesOf<typeof FIELDS>, Record<ModeratorSwitch, boolean> {
  /** ms since 1970 at which maintenance began; null if there is none (decisions, section 11). */
  maintenanceSince: number | null;
}

const defaults: ClubSettings = {
  ...firstValues(FIELDS),
  ...forEachSwitch(() => false),
  maintenanceSince: null,
};

const allRows = prepared((db) => db.withTables<SettingTables>().selectFrom("settings").select(["name", "value"]));

export interface Settings {
  /** The values until an admin changes them. */
  readonly defaults: Readonly<ClubSettings>;
  read(db: Db): Promise<Readonly<ClubSettings>>;
  /** As `read` would answer at once; undefined if it would query the database. */
  latest(): Readonly<ClubSettings> | undefined;
  write(tx: Tx, change: Partial<ClubSettings>): Promise<void>;
}

export function makeSettings(clock: Clock, signals: Signals): Settings {
  const cached = makeCached(signals, "settings.written", async (db): Promise<Readonly<ClubSettings>> => {
    const rows = await allRows(db, {});
    const set = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
    return Object.freeze({ ...defaults, ...set });
  });
  return {
    defaults,
    read: cached.read,
    latest: cached.latest,
    async write(tx, change) {
      cached.changed(tx);
      const now = clock.now().getTime();
      for (const [name, value] of Object.entries(change)) {
        const row = { value: JSON.stringify(value), changed_at: now };
        await tx
          .withTables<SettingTables>()
          .insertInto("settings")
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
          .execute();
      }
    },
  };
}
