import type { Entitlement } from "@krug/domain/entitlement";
import { entitlement } from "@krug/domain/entitlement";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/database/database.ts";
import { eventType } from "../../platform/events.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { Settings } from "../settings/index.ts";
import * as repository from "./repository.ts";
import { standingOf } from "./standing.ts";
import { makeToAnswer } from "./to-answer.ts";

export { standingOf } from "./standing.ts";
export type { MemberRow } from "./table.ts";

/** A member's right to the VPN may have changed: blocked, unblocked, renewed, expired, made unlimited. */
export const memberStandingChanged = eventType<{ memberId: string; blockConfigs?: boolean }>("member.standing_changed");
/** A member is gone for good; whoever keeps something of his removes it. */
export const memberDeleted = eventType<{ memberId: string }>("member.deleted");

export type Members = ReturnType<typeof makeMembers>;

/** Members as other features need them. */
export function makeMembers(parts: { clock: Clock; settings: Settings; sealing: Sealing }) {
  const { clock, settings, sealing } = parts;
  return {
    ...repository,
    toAnswer: makeToAnswer(sealing),
    /** Whether each of these members may use the VPN now; deleted and unknown ones are absent. */
    async entitlements(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Entitlement>> {
      const club = await settings.read(db);
      const now = clock.now();
      const rows = await repository.byIds(db, ids);
      return new Map(rows.map((row) => [row.id, entitlement(standingOf(row, club), now)]));
    },
    /** Ids of members whose subscription (with grace) ended after `from` and up to `to`, ms. */
    async endedBetween(db: Db, from: number, to: number): Promise<string[]> {
      const { graceHours } = await settings.read(db);
      const graceMs = graceHours * 3_600_000;
      return repository.idsBySubscriptionEnd(db, from - graceMs, to - graceMs);
    },
  };
}
