import type { SessionAnswer } from "@krug/contract/access/auth";
import type { Contract } from "@krug/contract/api";
import type { MemberAnswer } from "@krug/contract/members/members";
import { isoOf } from "@krug/domain/moment";
import { isStaff } from "@krug/domain/roles";
import type { Browser, Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import type { Auth } from "./index.ts";
import type { SignedIn } from "./sign-in.ts";
import type { SessionRow } from "./table.ts";

/** Calls about invite codes are under /auth too; the feature `invites` answers them. */
type OwnCalls = Omit<Contract["auth"], "register" | "checkInvite" | "inviteAttempts" | "noteInviteAttempt">;

/** The one call of members about themselves that concerns signing in. */
export const makePasswordRoutes = ({
  auth,
}: Pick<Parts, "auth">): Handlers<Pick<Contract["members"], "changePassword">> => ({
  async changePassword(call) {
    const { actor, body } = call;
    if (body.username !== undefined && body.username.toLowerCase() !== actor.username.toLowerCase())
      refuse("auth.not_yourself", { field: "username" });
    auth.rememberBrowser(call, await auth.changePassword(actor, body, call));
    return { success: true };
  },
});

interface Parts extends Platform {
  settings: Settings;
  members: Members;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  auth: Auth;
}

export function makeAuthRoutes({
  db,
  transact,
  clock,
  settings,
  members,
  securityGate,
  auth,
}: Parts): Handlers<OwnCalls> {
  const shown = async (row: MemberRow): Promise<MemberAnswer> =>
    members.toAnswer(row, { club: await settings.read(db), now: clock.now(), seesInviteCode: false });

  const answerSignedIn = async (browser: Browser, signedIn: SignedIn) => {
    const user = await shown(signedIn.member);
    auth.signInBrowser(browser, signedIn);
    return { token: signedIn.session.token, user };
  };

  return {
    async login(call) {
      await securityGate.refuseDenied(call.address);
      const { body, address, device, userAgent } = call;
      return answerSignedIn(call, await auth.signIn({ ...body, address, device }, userAgent));
    },

    setup: async (call) => answerSignedIn(call, await auth.setup(call.body.token, call.body, call.userAgent)),

    async setPassword(call) {
      const member = await auth.setPassword(call.body.token, call.body.password);
      auth.rememberBrowser(call, member);
      return { username: member.username };
    },

    async confirmPassword(call) {
      auth.rememberBrowser(call, await auth.confirmPassword(call.actor, call.body.password, call));
    },

    async checkRole({ body, address, device }) {
      await securityGate.refuseDenied(address);
      const member = (await auth.provePassword({ ...body, address, device })) ?? refuse("auth.wrong_credentials");
      return { isAdminOrModerator: isStaff(member.role) };
    },

    async logout({ actor, reply }) {
      if (actor !== null) await transact((tx) => auth.endSessions(tx, actor.memberId, { only: actor.sessionId }));
      reply.cookie("session", null);
    },

    me: ({ actor }) => members.ownAnswer(db, auth.memberOf(actor)),

    async sessions({ actor }) {
      const rows = await auth.aliveSessions(actor.memberId);
      return rows.map((row) => toAnswer(row, actor.sessionId));
    },

    endOtherSessions: async ({ actor }) =>
      void (await transact((tx) => auth.endSessions(tx, actor.memberId, { except: actor.sessionId, why: "own_wish" }))),

    async endSession({ actor, params, reply }) {
      const ended = await transact((tx) => auth.endSessions(tx, actor.memberId, { only: params.id }));
      if (ended === 0) refuse("session.not_found");
      if (params.id === actor.sessionId) reply.cookie("session", null);
    },
  };
}

const toAnswer = (row: SessionRow, currentId: string): SessionAnswer => ({
  id: row.id,
  current: row.id === currentId,
  createdAt: isoOf(row.created_at),
  lastSeenAt: isoOf(row.last_seen_at),
  device: row.device,
});
