import type { Contract } from "@krug/contract/api";
import type { ClubSettingsAnswer } from "@krug/contract/club/settings";
import { valuesIn } from "@krug/domain/fields/field";
import { CLUB_SETTINGS } from "@krug/domain/fields/settings";
import { forEachSwitch } from "@krug/domain/staff-actions";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { makeChangeSettings, type SettingsParts } from "./change-settings.ts";

interface Parts extends SettingsParts {
  db: Db;
  /** The environment's time zone; null if it sets none and the club's own applies. */
  fixedTimeZone: string | null;
}

/** The variable that overrides the setting. */
const TIME_ZONE = "CLUB_TIME_ZONE";

export function makeSettingsRoutes(parts: Parts): Handlers<Contract["settings"]> {
  const { db, settings, fixedTimeZone } = parts;
  const change = makeChangeSettings(parts);

  const shown = async (): Promise<ClubSettingsAnswer> => {
    const club = await settings.read(db);
    return {
      ...valuesIn(CLUB_SETTINGS, club),
      clubTimeZone: fixedTimeZone ?? club.clubTimeZone,
      ...forEachSwitch((name) => club[name]),
      fixedBy: { clubTimeZone: fixedTimeZone === null ? null : TIME_ZONE },
    };
  };

  return {
    read: () => shown(),
    async change({ actor, body: { expected, ...input } }) {
      if (input.clubTimeZone !== undefined && fixedTimeZone !== null)
        refuse("settings.fixed", { field: "clubTimeZone", variable: TIME_ZONE });
      await change(actor, "settings.changed", given(input), given(expected ?? {}));
      return shown();
    },
  };
}

/** Drops absent fields, which may come as undefined. */
const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
