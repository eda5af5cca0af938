import type { InviteCodeAnswer } from "@krug/contract/access/invites";
import type { Contract } from "@krug/contract/api";
import { INVITE_FIELDS } from "@krug/domain/fields/invite";
import { INVITE_STATES, type InviteState, inviteState } from "@krug/domain/invite-rules";
import { isoOf } from "@krug/domain/moment";
import { answeredOf } from "../../../platform/described-fields.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, rowsFor, tellPage, writeCursor } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import { seesVip } from "../../club/rights/index.ts";
import { entitlementAnswer, type MemberRow } from "../../members/members/index.ts";
import { makeCheckCode } from "./check-code.ts";
import { makeCodeBook, standingOf } from "./code-book.ts";
import { makeJoiningLimits } from "./joining-limits.ts";
import { makeOwnCodes } from "./own-codes.ts";
import type { InviteParts } from "./parts.ts";
import { makeRegister } from "./register.ts";
import * as repository from "./repository.ts";
import { makeStaffCodes } from "./staff-codes.ts";
import type { InviteRow } from "./table.ts";
import { usesSeen } from "./uses-seen.ts";

export function makeInviteRoutes(parts: InviteParts): Omit<Handlers<Contract["invites"]>, "invited"> {
  const { db, clock, clubTime, members, templates } = parts;
  const codeBook = makeCodeBook(parts.sealing);
  const ownCodes = makeOwnCodes(parts, codeBook);
  const staffCodes = makeStaffCodes(parts, codeBook);

  const shown = async (rows: readonly InviteRow[], withVip: boolean): Promise<InviteCodeAnswer[]> => {
    const makers = await members.byIds(db, [...new Set(rows.map((row) => row.created_by))]);
    const seen = new Map(makers.filter((row) => withVip || row.is_vip === 0).map((row) => [row.id, row]));
    const ids = rows.map((row) => row.id);
    const uses = await repository.usesOf(db, ids, usesSeen(members, withVip));
    const asSeen = (row: InviteRow) => ({ ...row, current_uses: uses.get(row.id) ?? row.current_uses });
    const named = new Map((await templates.names(db)).map((template) => [template.id, template]));
    return rows.map((row) => ({
      ...answer(asSeen(row)),
      template: (row.template_id !== null && named.get(row.template_id)) || null,
      createdBy: namedOrNull(seen.get(row.created_by)),
    }));
  };
  const shownOne = async (row: InviteRow, actor: Actor, as?: "moderator") =>
    (await shown([row], seesVip(actor, as)))[0] ?? refuse("invite.not_found");
  const found = async (codeOrId: string) => (await staffCodes.find(db, codeOrId)) ?? refuse("invite.not_found");

  const answer = (row: InviteRow): Omit<InviteCodeAnswer, "createdBy" | "template"> => {
    const { templateId: _, ...granted } = answeredOf(INVITE_FIELDS, row, clubTime);
    return {
      ...granted,
      id: row.id,
      code: codeBook.codeOf(row),
      createdAt: isoOf(row.created_at),
      currentUses: row.current_uses,
      state: inviteState(standingOf(row), clock.now()),
    };
  };

  return {
    async own({ actor, params }) {
      if (!isOneself(actor, params.id)) refuse("auth.not_yourself", { field: "id" });
      const row = await ownCodes.find(actor);
      return row === undefined ? { expiresAt: null } : { code: codeBook.codeOf(row), expiresAt: isoOf(row.expires_at) };
    },

    async makeOwn({ actor, body }) {
      if (body.userId !== undefined && body.userId !== actor.memberId) refuse("auth.not_yourself", { field: "userId" });
      if (body.username !== undefined && !isNameOf(actor, body.username))
        refuse("auth.not_yourself", { field: "username" });
      const row = await ownCodes.make(actor);
      return { code: codeBook.codeOf(row), expiresAt: isoOf(row.expires_at ?? row.created_at) };
    },

    async list({ actor, query, reply }) {
      const withVip = seesVip(actor, query.as);
      if (query.q !== undefined && query.q !== "") {
        // Codes are sealed, so only a complete one can be searched for.
        const row = await staffCodes.find(db, query.q);
        tellPage(reply, { next: null, total: row === undefined ? 0 : 1 });
        return row === undefined ? [] : shown([row], withVip);
      }
      const after = query.cursor === undefined ? undefined : await repository.staffCodeById(db, query.cursor);
      if (query.cursor !== undefined && after === undefined) refuse("invite.not_found", { field: "cursor" });
      const search = { state: query.state, now: clock.now().getTime(), uses: usesSeen(members, withVip) };
      const read = await repository.staffCodesAfter(db, search, after, { skip: query.skip, limit: rowsFor(query) });
      const { rows, next } = pageOf(read, query, ({ id }) => id);
      tellPage(reply, { next, total: await repository.countStaffCodes(db, search) });
      return shown(rows, withVip);
    },

    async counts({ actor, query }) {
      const uses = usesSeen(members, seesVip(actor, query.as));
      const now = clock.now().getTime();
      const counted = await Promise.all(
        INVITE_STATES.map(
          async (state) => [state, await repository.countStaffCodes(db, { state, now, uses })] as const,
        ),
      );
      const of = Object.fromEntries(counted) as Record<InviteState, number>;
      return { ...of, all: counted.reduce((sum, [, codes]) => sum + codes, 0) };
    },

    show: async ({ actor, params, query }) => shownOne(await found(params.id), actor, query.as),

    async newcomers({ actor, params, query, reply }) {
      const code = await found(params.id);
      const withVip = seesVip(actor, query.as);
      const after = readCursor(query.cursor, "number");
      const read = await members.joinedByCode(db, code.id, { withVip, after, limit: query.limit + 1 });
      const { rows, next } = pageOf(read, query, (last) => writeCursor(last.created_at, last.id));
      tellPage(reply, { next, total: await members.countJoinedByCode(db, code.id, withVip) });
      const entitlements = await members.entitlements(
        db,
        rows.map(({ id }) => id),
      );
      return rows.flatMap((row) => {
        const entitlement = entitlements.get(row.id);
        if (entitlement === undefined) return [];
        return {
          ...namedOf(row),
          joinedAt: isoOf(row.created_at),
          isActive: row.is_active === 1,
          entitlement: entitlementAnswer(entitlement, clubTime),
        };
      });
    },

    add: async ({ actor, body }) => shownOne(await staffCodes.add(actor, body), actor),
    change: async ({ actor, params, body }) => shownOne(await staffCodes.change(actor, params.id, body), actor),
    deactivate: async ({ actor, params }) => shownOne(await staffCodes.deactivate(actor, params.id), actor),
  };
}

type OfJoining = "register" | "checkInvite" | "inviteAttempts" | "noteInviteAttempt";

/** Calls of people who are not members yet. */
export function makeJoiningRoutes(parts: InviteParts): Pick<Handlers<Contract["auth"]>, OfJoining> {
  const { db, clock, settings, members, auth, securityGate } = parts;
  const codeBook = makeCodeBook(parts.sealing);
  const checkCode = makeCheckCode(parts, codeBook);
  const register = makeRegister(parts, checkCode, makeJoiningLimits(parts));
  return {
    async register(call) {
      const { body, address, userAgent } = call;
      await securityGate.refuseDenied(address);
      const { row, session } = await register({ ...body, address, userAgent });
      auth.signInBrowser(call, { member: row, session });
      const club = await settings.read(db);
      return { token: session.token, user: members.toAnswer(row, { club, now: clock.now(), seesInviteCode: false }) };
    },
    async checkInvite({ body, address }) {
      await checkCode.admit(body.code, address);
      return { valid: true };
    },
    inviteAttempts: ({ address }) => checkCode.state(address),
    // The client's report changes nothing: the server has counted for itself.
    noteInviteAttempt: ({ address }) => checkCode.state(address),
  };
}

const isNameOf = (actor: Actor, username: string) => username.toLowerCase() === actor.username.toLowerCase();
const isOneself = (actor: Actor, idOrName: string) => idOrName === actor.memberId || isNameOf(actor, idOrName);

const namedOf = ({ id, username, display_name }: MemberRow) => ({ id, username, displayName: display_name });
const namedOrNull = (row: MemberRow | undefined) => (row === undefined ? null : namedOf(row));
