import type { Contract } from "@krug/contract/api";
import type { BodyOf } from "@krug/contract/endpoint";
import type { NamedGroupAnswer } from "@krug/contract/members/groups";
import type { ListedMemberAnswer, MemberAnswer } from "@krug/contract/members/members";
import { ACTIVE_WITHIN_MS } from "@krug/domain/handshake";
import { isStaff } from "@krug/domain/roles";
import { may } from "@krug/domain/staff-actions";
import { type Expression, type RawBuilder, sql } from "kysely";
import type { Db } from "../../../platform/database/database.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden, requireRight, seesVip } from "../../club/rights/index.ts";
import { makeAddMembers } from "./add-members.ts";
import { makeChangeMany } from "./change-many.ts";
import { lockTarget, makeChangeMembers } from "./change-member.ts";
import { makeDeleteMember } from "./delete-member.ts";
import { memberChanged } from "./events.ts";
import type { Members } from "./index.ts";
import { type LeaverParts, makeLeaveStaff } from "./leave-staff.ts";
import * as list from "./list.ts";
import { type MemberFileParts, makeMemberFile } from "./member-file.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { promisedRole } from "./standing.ts";
import type { MemberRow } from "./table.ts";
import { makeUndoExtension } from "./undo.ts";
import { useOf } from "./use.ts";

interface Parts extends Omit<MemberUseParts, "quotas"> {
  members: Members;
  twoFactor: MemberFileParts["twoFactor"] & LeaverParts["twoFactor"];
  passkeys: MemberFileParts["passkeys"] & LeaverParts["passkeys"];
  invites: LeaverParts["invites"];
  /** Of features above this one, by members' ids; `countFor`: as SQL. */
  configs: {
    countsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
    countFor(memberId: RawBuilder<string>): RawBuilder<number>;
  };
  notes: { countsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> };
  groups: MemberUseParts["groups"] & {
    ofThese(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, NamedGroupAnswer[]>>;
    memberIds(db: Db, groupId: string): Expression<string>;
  };
}

export function makeMemberRoutes(given: Parts): Handlers<Omit<Contract["members"], "changePassword">> {
  const { db, transact, clock, events, settings, audit, auth, members, configs, notes, groups } = given;
  const parts = { ...given, quotas: members.quotas };
  const addMembers = makeAddMembers(parts);
  const { changeMember } = makeChangeMembers(parts);
  const { changeMany, changeMatching } = makeChangeMany(parts);
  const deleteMember = makeDeleteMember(parts);
  const memberFile = makeMemberFile(parts);
  const leaveStaff = makeLeaveStaff(parts);
  const undoExtension = makeUndoExtension(parts);

  const shown = async (rows: readonly MemberRow[], seesInviteCode: boolean) => {
    const club = await settings.read(db);
    return rows.map((row) => members.toAnswer(row, { club, now: clock.now(), seesInviteCode }));
  };
  const shownToStaff = async (row: MemberRow) => (await shown([row], true))[0] ?? refuse("member.not_found");
  const shownToHimself = async (row: MemberRow) => (await shown([row], false))[0] ?? refuse("member.not_found");

  const listed = async (rows: readonly list.ListedRow[]): Promise<ListedMemberAnswer[]> => {
    const ids = rows.map(({ id }) => id);
    const counts = await configs.countsOf(db, ids);
    const noteCounts = await notes.countsOf(db, ids);
    const inGroups = await groups.ofThese(db, ids);
    const answers = await shown(rows, true);
    return rows.map((row, place) => ({
      ...(answers[place] as MemberAnswer),
      configCount: counts.get(row.id) ?? 0,
      lastHandshake: row.last_handshake_at === 0 ? null : row.last_handshake_at,
      monthBytes: row.month_bytes,
      noteCount: noteCounts.get(row.id) ?? 0,
      groups: inGroups.get(row.id) ?? [],
    }));
  };
  const seenBy = (actor: Actor, row: MemberRow | undefined, as?: "moderator") =>
    row === undefined || isHidden(actor, row, as) ? refuse("member.not_found") : row;
  const seenByStaff = async (actor: Actor, idOrUsername: string, as?: "moderator") =>
    seenBy(actor, await repository.findByIdOrUsername(db, idOrUsername), as);

  /** The search of a list's view. `withVip`: the asker may see VIP members. */
  const searchOf = async (
    { q, state, ends, role, devices, group }: BodyOf<Contract["members"]["changeMatching"]>["matching"],
    withVip: boolean,
  ): Promise<list.MemberSearch> => {
    const now = clock.now().getTime();
    const { graceHours } = await settings.read(db);
    return {
      text: q,
      state,
      withVip,
      role,
      ...(ends === "any" ? {} : { ends: { how: ends, now, graceHours } }),
      ...(devices === "online" ? { seenSince: now - ACTIVE_WITHIN_MS } : {}),
      ...(devices === "full" ? { also: hasAllConfigs } : {}),
      ...(group === undefined ? {} : { among: groups.memberIds(db, group) }),
    };
  };
  const hasAllConfigs: list.MemberCondition = {
    holds: (id) => sql`(members.config_limit >= 0 and ${configs.countFor(id)} >= members.config_limit)`,
    isFew: false,
  };

  return {
    async list({ actor, query, reply }) {
      const filter = await searchOf(query, seesVip(actor, query.as));
      const { rows, next } = await list.search(db, filter, query);
      const isWhole = query.cursor === undefined && query.skip === 0 && next === null;
      tellPage(reply, { next, total: isWhole ? rows.length : await list.count(db, filter) });
      return listed(rows);
    },

    counts: async ({ actor, query }) =>
      list.counts(db, await searchOf({ ...query, state: "all" }, seesVip(actor, query.as))),

    async file({ actor, params, query }) {
      const row = await seenByStaff(actor, params.id, query.as);
      const [member] = await listed([{ ...row, ...(await useOf(db, row.id)) }]);
      return {
        member: member ?? refuse("member.not_found"),
        quota: await members.quotas.of(db, row),
        ...(await memberFile(row, { withVip: seesVip(actor, query.as) })),
      };
    },

    endSessions: async ({ actor, params }) => {
      await transact(async (tx) => {
        const member = (await repository.findByIdOrUsername(tx, params.id)) ?? refuse("member.not_found");
        await audit.record(tx, actor.memberId, "member.sessions_ended", { target: member.id });
        await auth.endSessions(tx, member.id, { except: member.id === actor.memberId ? actor.sessionId : undefined });
      });
    },

    leaveStaff: async ({ actor, params, body }) => shownToStaff(await leaveStaff(actor, params.id, body)),

    changeMany: ({ actor, body, language, idempotencyKey }) => changeMany(actor, body, language, idempotencyKey),

    changeMatching: async ({ actor, body, language, idempotencyKey }) =>
      changeMatching(actor, body, await searchOf(body.matching, true), language, idempotencyKey),

    undo: ({ actor, body, language }) => undoExtension(actor, body, language),

    async add({ actor, body, origin }) {
      const [added] = await transact((tx) => addMembers(tx, actor, [body], { origin }));
      const { row, link } = added ?? refuse("member.not_found");
      return { user: await shownToStaff(row), ...link };
    },

    async show({ actor, params }) {
      const isOwn = params.id === actor.memberId || params.id.toLowerCase() === actor.username.toLowerCase();
      if (isOwn) return shownToHimself((await repository.find(db, actor.memberId)) ?? refuse("member.not_found"));
      requireRight(actor, "members.see", "auth.forbidden");
      return shownToStaff(await seenByStaff(actor, params.id));
    },

    change: async ({ actor, params, body }) =>
      shownToStaff(await transact((tx) => changeMember(tx, actor, params.id, body))),

    remove: async ({ actor, params }) => void (await deleteMember(actor, params.id)),

    passwordLink: ({ actor, params, origin }) =>
      transact(async (tx) => {
        // Locked: the member must not become staff or VIP between this check and the link.
        const member = seenBy(actor, await lockTarget(tx, params.id, false));
        // A moderator who could set an admin's password could become an admin.
        if (isStaff(promisedRole(member)) && !may(actor.role, "members.change")) refuse("auth.forbidden");
        await audit.record(tx, actor.memberId, "member.password_link", { target: member.id });
        return auth.makePasswordLink(tx, member, origin);
      }),

    acceptRules: async ({ actor }) =>
      shownToHimself(
        await transact(async (tx) => {
          const row = (await repository.lock(tx, actor.memberId)) ?? refuse("member.not_found");
          if (row.accepted_rules_at !== null) return row;
          const accepted = { accepted_rules_at: clock.now().getTime() };
          await repository.update(tx, row.id, accepted);
          await events.record(tx, memberChanged, { memberId: row.id });
          return { ...row, ...accepted };
        }),
      ),
  };
}
