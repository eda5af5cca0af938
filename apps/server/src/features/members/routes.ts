import type { Contract } from "@krug/contract/api";
import { isStaff } from "@krug/domain/roles";
import type { Actor, Handlers } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import { makeAddMember } from "./add-member.ts";
import { makeChangeMember } from "./change-member.ts";
import { makeDeleteMember } from "./delete-member.ts";
import { memberChanged } from "./events.ts";
import type { Members } from "./index.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { MemberRow } from "./table.ts";

export function makeMemberRoutes(parts: MemberUseParts & { members: Members }): Handlers<Contract["members"]> {
  const { db, transact, clock, events, settings, audit, auth, members } = parts;
  const addMember = makeAddMember(parts);
  const changeMember = makeChangeMember(parts);
  const deleteMember = makeDeleteMember(parts);

  const shown = async (rows: readonly MemberRow[], seesInviteCode: boolean) => {
    const club = await settings.read(db);
    return rows.map((row) => members.toAnswer(row, { club, now: clock.now(), seesInviteCode }));
  };
  const shownToStaff = async (row: MemberRow) => (await shown([row], true))[0] ?? refuse("member.not_found");
  const shownToHimself = async (row: MemberRow) => (await shown([row], false))[0] ?? refuse("member.not_found");

  return {
    async list({ actor, query, reply }) {
      const wish = { text: query.q, state: query.state, withVip: seesVip(actor) };
      const found = await repository.search(db, wish, { cursor: query.cursor, limit: query.limit + 1 });
      const rows = found.slice(0, query.limit);
      const last = rows.at(-1);
      if (found.length > rows.length && last !== undefined) reply.header("x-next-cursor", last.username_key);
      reply.header("x-total-count", String(await repository.count(db, wish)));
      return shown(rows, true);
    },

    async add({ actor, body, origin }) {
      const { row, link } = await addMember(actor, body, origin);
      return { user: await shownToStaff(row), ...link };
    },

    async show({ actor, params }) {
      const isOwn = params.id === actor.memberId || params.id.toLowerCase() === actor.username.toLowerCase();
      if (isOwn) return shownToHimself((await repository.find(db, actor.memberId)) ?? refuse("member.not_found"));
      if (!isStaff(actor.role)) refuse("auth.forbidden");
      if (!actor.elevated) refuse("auth.two_factor_required");
      const row = await repository.findByIdOrUsername(db, params.id);
      if (row === undefined || (row.is_vip === 1 && !seesVip(actor))) refuse("member.not_found");
      return shownToStaff(row);
    },

    change: async ({ actor, params, body }) => shownToStaff(await changeMember(actor, params.id, body)),

    remove: async ({ actor, params }) => void (await deleteMember(actor, params.id)),

    passwordLink: ({ actor, params, origin }) =>
      transact(async (tx) => {
        const member = (await repository.findByIdOrUsername(tx, params.id)) ?? refuse("member.not_found");
        await audit.record(tx, { actorId: actor.memberId, action: "member.password_link", target: member.id });
        return auth.makePasswordLink(tx, member.id, origin);
      }),

    async changePassword({ actor, body, address }) {
      if (body.username !== undefined && body.username.toLowerCase() !== actor.username.toLowerCase())
        refuse("auth.not_yourself", { field: "username" });
      await auth.changePassword(actor, body, address);
      return { success: true };
    },

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

/** VIP members are left out of every answer a moderator gets, counts included (decisions, section 2). */
const seesVip = (actor: Actor) => actor.role === "admin";
