import { textNames } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import { seenOf } from "../../../platform/described-fields.ts";
import * as repository from "./repository.ts";

/** A member's account for their data export; null if it is deleted. */
export const makeOwnAccount = (db: Db) => async (memberId: string) => {
  const row = await repository.find(db, memberId);
  if (row === undefined) return null;
  const values = seenOf(MEMBER_FIELDS, row);
  return {
    id: row.id,
    username: row.username,
    ...Object.fromEntries(textNames(MEMBER_FIELDS).map((name) => [name, values[name]])),
    role: row.role,
    pendingRole: row.pending_role,
    registeredAt: isoOf(row.created_at),
    acceptedRulesAt: isoOf(row.accepted_rules_at),
    configLimit: row.config_limit,
    quota:
      row.quota_bytes === null
        ? null
        : {
            bytes: row.quota_bytes,
            atEnd: row.quota_at_end,
            slowMbit: row.quota_at_end === "slow" ? row.quota_slow_mbit : null,
          },
    speedMbit: row.speed_mbit,
    subscription: {
      isUnlimited: row.is_unlimited === 1,
      endsAt: isoOf(row.subscription_end),
      source: row.subscription_source,
      earnedByFriendsSince: isoOf(row.referral_earned_at),
    },
    telegram: { id: row.telegram_id, name: row.telegram_name, botBlockedSince: isoOf(row.telegram_blocked_at) },
  };
};
