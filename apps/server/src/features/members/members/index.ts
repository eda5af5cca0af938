import type { Entitlement } from "@krug/domain/entitlement";
import { entitlement } from "@krug/domain/entitlement";
import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import { census } from "./census.ts";
import { makeMemberCommands } from "./commands.ts";
import { makeOwnAccount } from "./data-export.ts";
import * as friends from "./friends.ts";
import * as ledger from "./ledger.ts";
import * as list from "./list.ts";
import { makeQuotas } from "./quota.ts";
import * as repository from "./repository.ts";
import { standingOf } from "./standing.ts";
import type { MemberRow } from "./table.ts";
import { inviteCodePlace, makeOwnAnswer, makeToAnswer } from "./to-answer.ts";
import { makeUndo } from "./undo.ts";
import * as use from "./use.ts";

export { type AddMembers, makeAddMembers } from "./add-members.ts";
export type { Undoing } from "./events.ts";
export {
  type ActUndone,
  actUndone,
  memberBlocked,
  memberChanged,
  memberDeleted,
  memberJoined,
  memberSpeedChanged,
  memberStandingChanged,
  quotaReached,
  staffLeft,
  staffWrote,
  subscriptionExtended,
  subscriptionsEnded,
} from "./events.ts";
export type { FriendRow } from "./friends.ts";
export { FEW_MEMBERS, type MemberCondition, type MemberSearch } from "./list.ts";
export { newcomersShare, newMemberRow, refuseBadUsername } from "./new-member.ts";
export { subscriptionEndOn } from "./staff-date.ts";
export { isTelegramConnected, promisedRole, slowedNow, standingOf } from "./standing.ts";
export type { LedgerRow, MemberRow } from "./table.ts";
export { entitlementAnswer, sealedInMembers } from "./to-answer.ts";
export type { Undoable } from "./undo.ts";
export { type Added, MONTH_DAYS, type MostUsing, RECENT_DAYS, type Reach, type Use } from "./use.ts";

export type Members = ReturnType<typeof makeMembers>;

/** Members as other features need them. */
export function makeMembers(parts: Platform & { settings: Settings; audit: Audit }) {
  const { db, transact, clock, clubTime, settings, sealing } = parts;
  const quotas = makeQuotas(parts);
  const toAnswer = makeToAnswer(sealing, clubTime);
  return {
    ...makeMemberCommands(parts),
    rows: repository.rows,
    find: repository.find,
    findByUsername: repository.findByUsername,
    findByIdOrUsername: repository.findByIdOrUsername,
    findByTelegramId: repository.findByTelegramId,
    linkedAmong: repository.linkedAmong,
    countTelegramConnected: repository.countTelegramConnected,
    lock: repository.lock,
    lockAll: repository.lockAll,
    byIds: repository.byIds,
    byUsernames: repository.byUsernames,
    insert: repository.insert,
    isEmpty: repository.isEmpty,
    hasUsers: repository.hasUsers,
    vipAmong: repository.vipAmong,
    activeStaff: repository.activeStaff,
    visibleIds: list.visibleIds,
    vipIds: list.vipIds,
    vipJoinedBy: list.vipJoinedBy,
    endOf: list.endOf,
    idsOfKind: list.idsOfKind,
    idsFound: list.idsFound,
    queryForFound: list.queryForFound,
    staff: repository.staff,
    named: list.named,
    entitledIds: list.entitledIds,
    unentitledIds: list.unentitledIds,
    search: list.search,
    count: list.count,
    counts: list.counts,
    countsOfSpan: list.countsOfSpan,
    /** Members whose speed is limited now, by id, in Mbit/s; `ids`: only among these. */
    speedLimits: (db: Db | Tx, ids?: readonly string[]) => repository.speedLimits(db, clock.now().getTime(), ids),
    endingBetween: repository.endingBetween,
    idsAfter: repository.idsAfter,
    joinedByCode: repository.joinedByCode,
    countJoinedByCode: repository.countJoinedByCode,
    friendsOf: friends.friendsOf,
    friendsOfThese: friends.friendsOfThese,
    friendsAfter: friends.friendsAfter,
    lastSeen: friends.lastSeen,
    invitersByTime: friends.invitersByTime,
    keptByFriendsEnding: friends.keptByFriendsEnding,
    idsWithReferral: friends.idsWithReferral,
    setReferral: friends.setReferral,
    notSeenSince: friends.notSeenSince,
    ledger: { ofMember: ledger.ofMember, extensionsIn: ledger.extensionsIn, notAddingUp: ledger.notAddingUp },
    undo: makeUndo(parts),
    quotas,
    timed: [{ name: "quotas ahead of time", at: "55 4-59/10 * * * *", run: quotas.settleAhead }],
    lockUseBefore: use.lockUseBefore,
    writeUse: use.writeUse,
    mostUsing: use.mostUsing,
    toAnswer,
    ownAnswer: makeOwnAnswer(parts, toAnswer),
    dataExport: { account: makeOwnAccount(db) },
    forgetOld: () => transact((tx) => repository.deleteBulkChangesBefore(tx, clock.now().getTime() - DAY_MS)),
    /** For the row's `invite_code`: the code they joined with, for staff only. */
    sealInviteCode: async (tx: Tx, memberId: string, code: string): Promise<string> =>
      (await sealing.sealer(tx))(inviteCodePlace(memberId), code),
    /** How many members each role has, and how many of them may use the VPN now. */
    census: async (db: Db) => census(db, clock.now().getTime(), (await settings.read(db)).graceHours),
    /** Whether this member may use the VPN now. */
    entitlementOf: async (db: Db | Tx, row: MemberRow): Promise<Entitlement> =>
      entitlement(standingOf(row, await settings.read(db)), clock.now()),
    /** Whether each of these members may use the VPN now; deleted and unknown ones are absent. */
    async entitlements(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Entitlement>> {
      const club = await settings.read(db);
      const now = clock.now();
      const rows = await repository.standings(db, ids);
      return new Map(rows.map((row) => [row.id, entitlement(standingOf(row, club), now)]));
    },
    /** Ids of members whose subscription (with grace), or month with a used-up quota, ended after `after` and up to `until`, ms. */
    async endedBetween(db: Db, after: number, until: number): Promise<string[]> {
      const { graceHours } = await settings.read(db);
      const graceMs = graceHours * HOUR_MS;
      return repository.idsByEnds(db, { after: after - graceMs, until: until - graceMs }, { after, until });
    },
  };
}
