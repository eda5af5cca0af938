import { LOGIN_FAILURES_KEPT_MS } from "@krug/domain/login-throttle";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { Audit } from "../audit/index.ts";
import { type Members, memberDeleted } from "../members/index.ts";
import type { Settings } from "../settings/index.ts";
import { makeChangePassword } from "./change-password.ts";
import { makeFirstAdmin } from "./first-admin.ts";
import { hashPassword } from "./password-hash.ts";
import { makePasswordLinks } from "./password-links.ts";
import { checkNewPassword, makeReplacePassword } from "./passwords.ts";
import { makeProvePassword } from "./prove-password.ts";
import * as repository from "./repository.ts";
import { makeSessions } from "./sessions.ts";
import { makeSignIn } from "./sign-in.ts";

export { addressGroup } from "./address-group.ts";
export type { FirstStart, NewAdmin } from "./first-admin.ts";
export { makeAuthRoutes } from "./routes.ts";
export type { OpenedSession } from "./sessions.ts";

export type Auth = ReturnType<typeof makeAuth>;

/** Accounts' passwords and sessions (decisions, section 2). */
export function makeAuth(parts: {
  db: Db;
  transact: Transact;
  clock: Clock;
  sealing: Sealing;
  events: Events;
  settings: Settings;
  audit: Audit;
  members: Members;
}) {
  const { transact, events, members } = parts;
  const sessions = makeSessions(parts);
  const { provePassword, forgiveAccount } = makeProvePassword(parts);
  const replacePassword = makeReplacePassword(members);

  events.on(memberDeleted, async (tx, { memberId }) => {
    await repository.deleteSessionsOf(tx, memberId);
    await repository.deleteLinksOf(tx, memberId);
  });

  return {
    ...sessions,
    ...makePasswordLinks({ ...parts, replacePassword, forgiveAccount }),
    ...makeFirstAdmin({ ...parts, openSession: sessions.openSession }),
    ...makeChangePassword({ ...parts, provePassword, replacePassword }),
    signIn: makeSignIn({ ...parts, provePassword, openSession: sessions.openSession }),
    provePassword,
    checkNewPassword,
    hashPassword,

    /** Forgets wrong attempts after 24 h; nobody's address is kept longer, not even as a keyed hash. `now` in ms. */
    forgetOldAttempts: (now: number): Promise<void> =>
      transact((tx) => repository.deleteAttemptsBefore(tx, now - LOGIN_FAILURES_KEPT_MS)),

    /** Forgets sessions and links that have ended. `now` in ms. */
    forgetEndedSessions: (now: number): Promise<void> =>
      transact(async (tx) => {
        await repository.deleteSessionsEndedBy(tx, now);
        await repository.deleteLinksEndedBy(tx, now);
      }),
  };
}
