import { LOGIN_FAILURES_KEPT_MS } from "@krug/domain/login-throttle";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor, Browser } from "../../../platform/http/call.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import { type MemberRow, type Members, memberDeleted } from "../../members/members/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import { makeAddressCounter } from "./address-counter.ts";
import { makeChangePassword } from "./change-password.ts";
import { makeConfigLinks } from "./config-links.ts";
import { makeFirstAdmin } from "./first-admin.ts";
import { DEVICE_KEPT_MS, makeKnownDevices } from "./known-devices.ts";
import { makePasswordHashing, type PasswordCost } from "./password-hash.ts";
import { makePasswordLinks } from "./password-links.ts";
import { checkNewPassword, isStaffsPassword, makeReplacePassword } from "./passwords.ts";
import { makeProvePassword } from "./prove-password.ts";
import * as repository from "./repository.ts";
import { makeSessions, type OpenedSession } from "./sessions.ts";
import { makeSignIn, type SignedIn } from "./sign-in.ts";

export { addressGroup } from "./address-group.ts";
export { elevationsEnded, passwordReset, sessionsEnded } from "./events.ts";
export type { PasswordCost } from "./password-hash.ts";
export { endEveryEntry } from "./repository.ts";
export type { OpenedSession } from "./sessions.ts";
export type { SignedIn } from "./sign-in.ts";

export type Auth = ReturnType<typeof makeAuth>;

interface Parts extends Platform {
  settings: Settings;
  audit: Audit;
  members: Members;
  maintenance: Maintenance;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  /** Called once the first admin exists, however created. */
  onFirstMember(): void;
  /** Defaults to SAFE_COST. */
  passwordCost?: PasswordCost;
}

/** Accounts' passwords and sessions (decisions, section 2). */
export function makeAuth(parts: Parts) {
  const { transact, clock, events, members } = parts;
  const { hashPassword, isPassword } = makePasswordHashing(parts.passwordCost);
  const sessions = makeSessions(parts);
  const lockLostDevices = makeAddressCounter(parts, "lost-device-address");
  const knownDevices = makeKnownDevices(parts);
  const { provePassword, forgiveAccount, forgiveEveryone } = makeProvePassword({ ...parts, isPassword, knownDevices });
  const replacePassword = makeReplacePassword({ events, members, forgiveAccount, endSessions: sessions.endSessions });

  const openInBrowser = ({ reply }: Browser, { token, maxAgeMs }: OpenedSession): void =>
    reply.cookie("session", token, maxAgeMs);
  /** The member has signed in from this browser: strangers who guess at the account do not make it wait. */
  const rememberBrowser = ({ device, reply }: Browser, member: MemberRow): void =>
    reply.cookie("device", knownDevices.remember(device, member), DEVICE_KEPT_MS);

  const freshPassword = async (password: string) => ({
    hash: await hashPassword(password),
    isStaffs: await isStaffsPassword(password),
  });

  events.on(memberDeleted, async (tx, { memberId }) => {
    await sessions.endSessions(tx, memberId);
    await repository.deleteLinksOf(tx, memberId);
  });

  return {
    ...sessions,
    ...makeConfigLinks(parts),
    ...makePasswordLinks({ ...parts, freshPassword, replacePassword }),
    ...makeFirstAdmin({ ...parts, hashPassword, openSession: sessions.openSession }),
    ...makeChangePassword({
      ...parts,
      freshPassword,
      provePassword,
      replacePassword,
      forgiveEveryone,
      notePassword: sessions.notePassword,
    }),
    /** Counts wrong passkeys by address, like wrong passwords. */
    lockPasskeys: makeAddressCounter(parts, "passkey-address"),
    /** Counts a lost device reported from this address; refuses while the address has to wait. */
    async countLostDevice(tx: Tx, address: ClientAddress): Promise<void> {
      await (await lockLostDevices(tx, address))();
    },
    ...makeSignIn({ ...parts, ...sessions, provePassword }),
    provePassword,
    /** For changes to how the account is entered. Confirming the password makes it fresh again. */
    refuseStalePassword(actor: Actor): void {
      if (!actor.passwordFresh) refuse("auth.password_required");
    },

    rememberBrowser,
    openInBrowser,
    signInBrowser(browser: Browser, { member, session }: SignedIn): void {
      openInBrowser(browser, session);
      rememberBrowser(browser, member);
    },

    checkNewPassword,
    isStaffsPassword,
    hashPassword,

    /** Deletes ended sessions and links, and attempts older than 24 h, so that no address is stored longer. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        await repository.deleteAttemptsBefore(tx, now - LOGIN_FAILURES_KEPT_MS);
        await repository.deleteSessionsEndedBy(tx, now);
        await repository.deleteLinksEndedBy(tx, now);
      }),
  };
}
