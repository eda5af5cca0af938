import { isDeepStrictEqual } from "node:util";
import type { AuditAction } from "@krug/domain/audit-actions";
import { lockPlace } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../audit/index.ts";
import type { ClubSettings, Settings } from "./club-settings.ts";
import { settingsChanged } from "./events.ts";

type Name = keyof ClubSettings;

export interface SettingsParts extends Platform {
  settings: Settings;
  audit: Audit;
}

/**
 * Writes an admin's settings, and the former values into the audit. Settings not named stay; unchanged values are no change.
 * `expected`: what the editor saw; if that differs by now, nothing is written and the call is refused.
 */
export const makeChangeSettings =
  ({ transact, events, settings, audit }: SettingsParts) =>
  (
    actor: Actor,
    action: AuditAction,
    change: Partial<ClubSettings>,
    expected: Partial<ClubSettings> = {},
  ): Promise<void> =>
    transact(async (tx) => {
      await lockPlace(tx, "settings");
      const before = await settings.read(tx);
      const isNow = (name: Name, value: unknown) => isDeepStrictEqual(before[name], value);
      const unseen = namesOf(expected).filter((name) => name in change && !isNow(name, expected[name]));
      if (unseen.length > 0) refuse("settings.changed_meanwhile", { fields: unseen });
      const names = namesOf(change).filter((name) => !isNow(name, change[name]));
      if (names.length === 0) return;
      const pick = (values: Partial<ClubSettings>) => Object.fromEntries(names.map((name) => [name, values[name]]));
      await settings.write(tx, pick(change));
      await audit.record(tx, actor.memberId, action, { before: pick(before), after: pick(change) });
      await events.record(tx, settingsChanged, { names });
    });

const namesOf = (values: Partial<ClubSettings>) => Object.keys(values) as Name[];
