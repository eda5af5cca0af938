import { LOGIN_FAILURES_KEPT_MS } from "@krug/domain/login-throttle";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { Audit } from "../audit/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import { type Members, memberDeleted } from "../members/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import type { Settings } from "../settings/index.ts";
import { makeChangePassword } from "./change-password.ts";
import { makeFirstAdmin } from "./first-admin.ts";
import { hashPassword } from "./password-hash.ts";
import { makePasswordLinks } from "./password-links.ts";
import { checkNewPassword, makeReplacePassword } from "./passwords.ts";
import { makeProvePassword } from "./prove-password.ts";
import * as repository from "./repository.ts";
import { makeAuthRoutes } from "./routes.ts";
import { makeSessions } from "./sessions.ts";
import { makeSignIn } from "./sign-in.ts";

export { addressGroup } from "./address-group.ts";
export { sessionsEnded } from "./events.ts";

export type Auth = ReturnType<typeof makeAuth>;
export type Accounts = ReturnType<typeof makeAccounts>;

interface Parts {
  db: Db;
  transact: Transact;
  clock: Clock;
  sealing: Sealing;
  events: Events;
  settings: Settings;
  audit: Audit;
  members: Members;
  maintenance: Maintenance;
  securityGate: Pick<SecurityGate, "refuseDenied">;
}

/** Accounts' passwords and sessions, and the calls about them (decisions, section 2). */
export function makeAuth(parts: Parts) {
  const accounts = makeAccounts(parts);
  return { ...accounts, routes: makeAuthRoutes({ ...parts, accounts }) };
}

function makeAccounts(parts: Parts) {
  const { transact, clock, events, members } = parts;
  const sessions = makeSessions(parts);
  const { provePassword, forgiveAccount } = makeProvePassword(parts);
  const replacePassword = makeReplacePassword({ members, endSessions: sessions.endSessions });

  events.on(memberDeleted, async (tx, { memberId }) => {
    await sessions.endSessions(tx, memberId);
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

    /** Forgets what has ended: sessions, links, and attempts after 24 h, so that no address is kept longer. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        await repository.deleteAttemptsBefore(tx, now - LOGIN_FAILURES_KEPT_MS);
        await repository.deleteSessionsEndedBy(tx, now);
        await repository.deleteLinksEndedBy(tx, now);
      }),
  };
}
