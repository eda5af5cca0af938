import type { MemberChangeInput } from "@krug/contract/members/members";
import type { ColumnsOf } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { isStaff, ROLES, type Role } from "@krug/domain/roles";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { columnsOf, seenOf } from "../../../platform/described-fields.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import {
  memberBlocked,
  memberChanged,
  memberSpeedChanged,
  memberStandingChanged,
  staffLeft,
  subscriptionExtended,
} from "./events.ts";
import type { LedgerReason } from "./ledger.ts";
import { checkedDisplayName } from "./new-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { subscriptionEndOn } from "./staff-date.ts";
import { promisedRole } from "./standing.ts";
import type { MemberRow } from "./table.ts";

type Change = Partial<ColumnsOf<typeof MEMBER_FIELDS>>;

/** An accepted change of one member: what to write. */
interface Decided {
  input: MemberChangeInput;
  before: MemberRow;
  change: Change;
  /** Of a change of the subscription's end. */
  reason: LedgerReason;
}

/** Changes members for an admin: audited, and sessions and peers follow. */
export function makeChangeMembers({ clock, clubTime, events, audit, auth, quotas }: MemberUseParts) {
  return {
    /** @throws Refusal of the change, before anything is written */
    async changeMember(tx: Tx, actor: Actor, idOrUsername: string, input: MemberChangeInput): Promise<MemberRow> {
      const mayEndAdmin = (input.role !== undefined && input.role !== "admin") || input.isActive === false;
      const before = await lockTarget(tx, idOrUsername, mayEndAdmin);
      const [after = before] = await write(tx, actor, [decide(actor, before, input)]);
      return after;
    },
    decide,
    write,
  };

  /** What this input changes about a locked member; `reason`: if the end moves, why. @throws Refusal */
  function decide(
    actor: Actor,
    before: MemberRow,
    input: MemberChangeInput,
    reason: Omit<LedgerReason, "byId" | "at"> = { kind: "date" },
  ): Decided {
    refuseUnseen(before, input);
    return {
      input,
      before,
      change: changed(before, askedChange(before, input)),
      reason: { ...reason, byId: actor.memberId, at: clock.now().getTime() },
    };
  }

  /** Writes the decisions, each kind of row for all members at once. Returns the new rows. */
  async function write(tx: Tx, actor: Actor, decided: readonly Decided[]): Promise<MemberRow[]> {
    const changes = decided.filter(({ change }) => Object.keys(change).length > 0);
    const idsOf = (some: readonly Decided[]) => some.map(({ before }) => before.id);
    await writeRows(tx, changes);
    await audit.recordAll(
      tx,
      changes.map(({ before, change, reason }) => ({
        actorId: actor.memberId,
        action: "member.changed",
        target: before.id,
        before: pick(before, change),
        after: { ...change, ...moneyOf(reason) },
      })),
    );
    await events.recordAll(
      tx,
      memberChanged,
      idsOf(changes).map((memberId) => ({ memberId })),
    );
    await events.recordAll(
      tx,
      memberSpeedChanged,
      changes.flatMap(({ before, change }) => (touchesSpeed(change) ? [{ memberId: before.id }] : [])),
    );
    const written = await followQuotas(tx, actor, decided);

    const isBlock = ({ change }: Decided) => change.is_active === 0;
    const isPromised = ({ change }: Decided) => change.role !== undefined || change.pending_role !== undefined;
    for (const { before, change } of decided.filter(isPromised)) {
      // A moderator's link for a member must not open the account of an admin.
      await auth.voidPasswordLinks(tx, before.id);
      if (change.role === undefined) continue;
      // Admins who give up their own role keep their session. A block ends all sessions.
      const own = actor.memberId === before.id ? actor.sessionId : undefined;
      if (change.is_active !== 0) await auth.endSessions(tx, before.id, { except: own });
    }
    await auth.endSessionsOf(tx, idsOf(decided.filter(isBlock)), { why: "blocked" });

    await events.recordAll(
      tx,
      memberBlocked,
      decided
        .filter(({ change }) => change.is_active !== undefined)
        .map((each) => ({ memberId: each.before.id, isBlocked: isBlock(each) })),
    );
    await events.recordAll(
      tx,
      staffLeft,
      written
        .filter(({ before, after }) => worksHere(before) && !worksHere(after))
        .map(({ before }) => ({ memberId: before.id, byId: actor.memberId })),
    );
    const now = clock.now().getTime();
    await events.recordAll(
      tx,
      subscriptionExtended,
      decided.flatMap(({ before, change: { subscription_end: end }, reason: { undoing } }) =>
        end != null && end > Math.max(before.subscription_end ?? 0, now)
          ? [{ memberId: before.id, until: end, ...(undoing ? { undoing } : {}) }]
          : [],
      ),
    );
    await events.recordAll(
      tx,
      memberStandingChanged,
      decided.flatMap(({ input, before, change }) => {
        const blockConfigs = blocksConfigs(input);
        if (!touchesEntitlement(change) && blockConfigs === undefined) return [];
        return [{ memberId: before.id, ...(blockConfigs === undefined ? {} : { blockConfigs }) }];
      }),
    );
    return written.map(({ after }) => after);
  }

  async function writeRows(tx: Tx, changes: readonly Decided[]): Promise<void> {
    const rest = changes.map(({ before, change }) => {
      const { subscription_end: _, subscription_source: __, ...others } = change;
      return { id: before.id, change: others };
    });
    await repository.updateAll(
      tx,
      rest.filter(({ change }) => Object.keys(change).length > 0),
    );
    await repository.moveEnds(
      tx,
      changes.flatMap(({ before, change, reason }) => {
        const { subscription_end: end, subscription_source: source = before.subscription_source } = change;
        return end === undefined ? [] : [{ ...reason, memberId: before.id, end, source }];
      }),
    );
  }

  /** Applies quotas that were set or reset at once. */
  async function followQuotas(
    tx: Tx,
    actor: Actor,
    decided: readonly Decided[],
  ): Promise<(Decided & { after: MemberRow })[]> {
    const written = decided.map((each) => ({ ...each, after: { ...each.before, ...each.change } }));
    const settled = await quotas.follow(
      tx,
      written.filter(
        ({ input, change }) =>
          input.resetQuota !== true && (change.quota_bytes !== undefined || change.quota_at_end !== undefined),
      ),
    );
    const rows = new Map(settled.map((row) => [row.id, row]));
    for (const each of written) {
      each.after = rows.get(each.after.id) ?? each.after;
      if (each.input.resetQuota === true) each.after = await restartQuota(tx, actor, each);
    }
    return written;
  }

  async function restartQuota(
    tx: Tx,
    actor: Actor,
    { before, after }: { before: MemberRow; after: MemberRow },
  ): Promise<MemberRow> {
    const restarted = await quotas.restart(tx, after);
    await audit.record(tx, actor.memberId, "member.quota_reset", {
      target: before.id,
      before: { quota_used: restarted.used },
      after: { quota_used: 0 },
    });
    await events.record(tx, memberChanged, { memberId: before.id });
    return restarted.row;
  }

  function askedChange(before: MemberRow, input: MemberChangeInput): Change {
    const change: Change = columnsOf(MEMBER_FIELDS, input);
    if (input.role !== undefined) Object.assign(change, roleFor(before, input.role));
    if (input.displayName !== undefined) change.display_name = checkedDisplayName(input.displayName);
    const blockConfigs = blocksConfigs(input);
    if (blockConfigs !== undefined) change.configs_blocked = Number(blockConfigs);
    const end = subscriptionEnd(before, input);
    if (end !== undefined && end !== before.subscription_end) {
      change.subscription_end = end;
      change.subscription_source = end === null ? null : "staff";
    }
    return change;
  }

  /** Undefined: unchanged. */
  function subscriptionEnd(before: MemberRow, input: MemberChangeInput): number | null | undefined {
    if (input.subscriptionEnd === null) return null;
    // 'Unchecking unlimited with no date clears subscription_end' (specification, operator's side 5).
    if (input.subscriptionEnd === undefined)
      return before.is_unlimited === 1 && input.isUnlimited === false ? null : undefined;
    // A form that sends everything back unchanged changes nothing, even after the subscription ended.
    if (clubTime.readWritten(input.subscriptionEnd) === before.subscription_end) return undefined;
    return subscriptionEndOn(input.subscriptionEnd, clubTime, clock.now());
  }
}

/** Unblocking a member unblocks their configs (decisions, section 1). Undefined: unchanged. */
const blocksConfigs = (input: MemberChangeInput) => (input.isActive === true ? false : input.blockConfigs);

/** A higher role waits for a password that is long enough for it; a lower one takes effect at once. */
function roleFor(before: MemberRow, role: Role): Pick<MemberRow, "role" | "pending_role"> {
  const waits =
    ROLES.indexOf(role) > ROLES.indexOf(before.role) && before.password_hash !== null && before.staff_password !== 1;
  return waits ? { role: before.role, pending_role: role } : { role, pending_role: null };
}

/** @throws Refusal if somebody else changed the same fields meanwhile (`expected` holds what the admin saw) */
function refuseUnseen(row: MemberRow, input: MemberChangeInput): void {
  const fields = changedMeanwhile({ ...seenOf(MEMBER_FIELDS, row), role: promisedRole(row) }, input, input.expected);
  if (fields.length > 0) refuse("member.changed_meanwhile", { fields });
}

/**
 * Locks these members. Returns a function that takes each by id for its change. `mayEndAdmin`: after the change they may no longer be
 * admins who can sign in. The rows of all admins are then locked too, so that the last two cannot demote each other.
 */
export async function lockTargets(tx: Tx, ids: readonly string[], mayEndAdmin: boolean) {
  const alsoLocked = mayEndAdmin ? await repository.activeAdmins(tx) : [];
  const rows = await repository.lockAll(tx, [...new Set([...ids, ...alsoLocked])]);
  const members = new Map(rows.map((row) => [row.id, row]));
  const admins = new Set(rows.filter((row) => isAdminNow(row) && row.password_hash !== null).map(({ id }) => id));
  /** @throws Refusal member.not_found, member.last_admin */
  return (id: string): MemberRow => {
    const member = members.get(id) ?? refuse("member.not_found");
    if (mayEndAdmin && isAdminNow(member)) {
      if (![...admins].some((other) => other !== id)) refuse("member.last_admin");
      // Members already taken no longer count as admins for the next ones.
      admins.delete(id);
    }
    return member;
  };
}

/** lockTargets for one member. */
export async function lockTarget(tx: Tx, idOrUsername: string, mayEndAdmin: boolean): Promise<MemberRow> {
  const { id } = (await repository.findByIdOrUsername(tx, idOrUsername)) ?? refuse("member.not_found");
  return (await lockTargets(tx, [id], mayEndAdmin))(id);
}

/** For the audit. */
export const moneyOf = ({ amount, currency }: Pick<LedgerReason, "amount" | "currency">) =>
  amount == null ? {} : { amount, currency };

const isAdminNow = ({ role, is_active }: MemberRow) => role === "admin" && is_active === 1;

/** An unlimited member has no quota, so none that slows down. */
const touchesSpeed = ({ speed_mbit, quota_slow_mbit, is_unlimited }: Change) =>
  speed_mbit !== undefined || quota_slow_mbit !== undefined || is_unlimited !== undefined;

const touchesEntitlement = (change: Change) =>
  change.is_active !== undefined || change.is_unlimited !== undefined || change.subscription_end !== undefined;

/** Only the values that differ. */
const changed = (before: MemberRow, input: Change): Change =>
  Object.fromEntries(Object.entries(input).filter(([name, value]) => before[name as keyof Change] !== value));

const pick = (row: MemberRow, like: Change) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, row[name as keyof Change]]));

const worksHere = ({ role, is_active }: MemberRow) => isStaff(role) && is_active === 1;
