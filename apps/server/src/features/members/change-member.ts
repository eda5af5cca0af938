import type { MemberChangeInput } from "@krug/contract/members";
import { isStaff } from "@krug/domain/roles";
import type { Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import { memberBlocked, memberChanged, memberStandingChanged, staffLeft, subscriptionExtended } from "./events.ts";
import { checkedDisplayName } from "./new-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { subscriptionEndOn } from "./staff-date.ts";
import type { MemberRow } from "./table.ts";

type Change = Partial<
  Pick<
    MemberRow,
    | "role"
    | "is_vip"
    | "is_active"
    | "display_name"
    | "config_limit"
    | "configs_blocked"
    | "is_unlimited"
    | "subscription_end"
    | "subscription_source"
    | "quota_bytes"
    | "quota_at_end"
  >
>;

/** Changes a member as an admin wishes: audited, with the sessions and the wire following. */
export function makeChangeMember({ clock, clubTime, events, audit, auth, quotas }: MemberUseParts) {
  return async (tx: Tx, actor: Actor, idOrUsername: string, wish: MemberChangeInput): Promise<MemberRow> => {
    const mayEndAdmin = (wish.role !== undefined && wish.role !== "admin") || wish.isActive === false;
    const before = await lockTarget(tx, idOrUsername, mayEndAdmin);
    refuseUnseen(before, wish);
    const change = changed(before, columnsOf(before, wish));
    let after = { ...before, ...change };
    if (Object.keys(change).length > 0) {
      await repository.update(tx, before.id, change);
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "member.changed",
        target: before.id,
        before: pick(before, change),
        after: change,
      });
      await events.record(tx, memberChanged, { memberId: before.id });
    }

    if (wish.resetQuota === true) {
      const restarted = await quotas.restart(tx, after);
      after = restarted.row;
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "member.quota_reset",
        target: before.id,
        before: { quota_used: restarted.used },
        after: { quota_used: 0 },
      });
      await events.record(tx, memberChanged, { memberId: before.id });
    } else if (change.quota_bytes !== undefined || change.quota_at_end !== undefined)
      after = await quotas.follow(tx, before, after);

    // A moderator's link for a member must not open the account of an admin.
    if (change.role !== undefined) await auth.voidPasswordLinks(tx, before.id);
    const blocked = change.is_active === 0;
    if (change.role !== undefined || blocked) {
      // Giving up one's own role keeps the session; a block ends every one.
      const kept = actor.memberId === before.id && !blocked ? actor.sessionId : undefined;
      await auth.endSessions(tx, before.id, { except: kept, why: blocked ? "blocked" : undefined });
    }

    if (change.is_active !== undefined)
      await events.record(tx, memberBlocked, { memberId: before.id, isBlocked: blocked });
    if (worksHere(before) && !worksHere(after))
      await events.record(tx, staffLeft, { memberId: before.id, byId: actor.memberId });

    const { subscription_end: end } = change;
    if (end != null && end > Math.max(before.subscription_end ?? 0, clock.now().getTime()))
      await events.record(tx, subscriptionExtended, { memberId: before.id, until: end });

    const blockConfigs = blocksConfigs(wish);
    if (touchesEntitlement(change) || blockConfigs !== undefined)
      await events.record(tx, memberStandingChanged, {
        memberId: before.id,
        ...(blockConfigs === undefined ? {} : { blockConfigs }),
      });
    return after;
  };

  function columnsOf(before: MemberRow, wish: MemberChangeInput): Change {
    const change: Change = {};
    if (wish.role !== undefined) change.role = wish.role;
    if (wish.isVip !== undefined) change.is_vip = Number(wish.isVip);
    if (wish.isActive !== undefined) change.is_active = Number(wish.isActive);
    if (wish.displayName !== undefined) change.display_name = checkedDisplayName(wish.displayName);
    if (wish.vpnConfigLimit !== undefined) change.config_limit = wish.vpnConfigLimit;
    if (wish.quotaBytes !== undefined) change.quota_bytes = wish.quotaBytes;
    if (wish.quotaAtEnd !== undefined) change.quota_at_end = wish.quotaAtEnd;
    if (wish.isUnlimited !== undefined) change.is_unlimited = Number(wish.isUnlimited);
    const blockConfigs = blocksConfigs(wish);
    if (blockConfigs !== undefined) change.configs_blocked = Number(blockConfigs);
    const end = subscriptionEnd(before, wish);
    if (end !== undefined && end !== before.subscription_end) {
      change.subscription_end = end;
      change.subscription_source = end === null ? null : "staff";
    }
    return change;
  }

  /** Undefined: stays as it is. */
  function subscriptionEnd(before: MemberRow, wish: MemberChangeInput): number | null | undefined {
    if (wish.subscriptionEnd === null) return null;
    // 'Unchecking unlimited with no date clears subscription_end' (admin-side, section 5).
    if (wish.subscriptionEnd === undefined)
      return before.is_unlimited === 1 && wish.isUnlimited === false ? null : undefined;
    // A form that sends everything back as it was changes nothing, also when the subscription is over.
    if (clubTime.readWritten(wish.subscriptionEnd) === before.subscription_end) return undefined;
    return subscriptionEndOn(wish.subscriptionEnd, clubTime, clock.now());
  }
}

/** Unblocking lifts what a block did to the configs (decisions, section 1). Undefined: stays as it is. */
const blocksConfigs = (wish: MemberChangeInput) => (wish.isActive === true ? false : wish.blockConfigs);

/** The columns of the fields that a changer may have seen. */
const SEEN = {
  role: (row) => row.role,
  isVip: (row) => row.is_vip === 1,
  isActive: (row) => row.is_active === 1,
  displayName: (row) => row.display_name,
  vpnConfigLimit: (row) => row.config_limit,
  isUnlimited: (row) => row.is_unlimited === 1,
  subscriptionEnd: (row) => row.subscription_end,
  quotaBytes: (row) => row.quota_bytes,
  quotaAtEnd: (row) => row.quota_at_end,
} satisfies Record<keyof NonNullable<MemberChangeInput["expected"]>, (row: MemberRow) => unknown>;

/** Somebody else has changed the same fields meanwhile (`expected` says what was seen). */
function refuseUnseen(row: MemberRow, wish: MemberChangeInput): void {
  const { expected } = wish;
  if (expected === undefined) return;
  const names = (Object.keys(SEEN) as (keyof typeof SEEN)[]).filter((name) => {
    const seen = expected[name];
    if (seen === undefined || wish[name] === undefined) return false;
    const now = SEEN[name](row);
    return name === "subscriptionEnd" && typeof seen === "string" ? Date.parse(seen) !== now : seen !== now;
  });
  if (names.length > 0) refuse("member.changed_meanwhile", { fields: names });
}

/**
 * The member with the row locked. `mayEndAdmin`: after the change they may not be an admin who can sign in; the admins' rows
 * are then locked first, so that the last two cannot end each other.
 */
export async function lockTarget(tx: Tx, idOrUsername: string, mayEndAdmin: boolean): Promise<MemberRow> {
  const admins = mayEndAdmin ? await repository.lockActiveAdmins(tx) : [];
  const found = (await repository.findByIdOrUsername(tx, idOrUsername)) ?? refuse("member.not_found");
  const member = (await repository.lock(tx, found.id)) ?? refuse("member.not_found");
  const isAdminNow = member.role === "admin" && member.is_active === 1;
  if (mayEndAdmin && isAdminNow && !admins.some((id) => id !== member.id)) refuse("member.last_admin");
  return member;
}

const touchesEntitlement = (change: Change) =>
  change.is_active !== undefined || change.is_unlimited !== undefined || change.subscription_end !== undefined;

/** Only values that differ from before. */
const changed = (before: MemberRow, wish: Change): Change =>
  Object.fromEntries(Object.entries(wish).filter(([name, value]) => before[name as keyof Change] !== value));

const pick = (row: MemberRow, like: Change) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, row[name as keyof Change]]));

const worksHere = ({ role, is_active }: MemberRow) => isStaff(role) && is_active === 1;
