import { NO_LIMIT } from "@krug/domain/config-rules";
import { afterCommit, type Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hashOfToken, newToken } from "../../../platform/secret-token.ts";
import type { Audit } from "../../club/audit/index.ts";
import { type MemberRow, type Members, newMemberRow, refuseBadUsername } from "../../members/members/index.ts";
import type { PasswordHashing } from "./password-hash.ts";
import { checkNewPassword } from "./passwords.ts";
import * as repository from "./repository.ts";
import type { OpenedSession } from "./sessions.ts";

export interface NewAdmin {
  username: string;
  password: string;
}

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  hashPassword: PasswordHashing["hashPassword"];
  openSession(tx: Tx, member: MemberRow, userAgent: string | null): Promise<OpenedSession>;
  onFirstMember(): void;
}

/** Admins not made by an admin: by the first start, its set-up link, or the command line (decisions, section 2). */
export function makeFirstAdmin(parts: Parts) {
  const { db, transact, clock, audit, members, hashPassword, openSession, onFirstMember } = parts;
  const check = async ({ username, password }: NewAdmin) => {
    refuseBadUsername(username);
    await checkNewPassword(password, "admin");
    return hashPassword(password);
  };

  const insertAdmin = async (tx: Tx, username: string, passwordHash: string): Promise<MemberRow> => {
    const row = newMemberRow({
      username,
      password_hash: passwordHash,
      role: "admin",
      staff_password: 1,
      is_unlimited: 1,
      config_limit: NO_LIMIT,
      created_at: clock.now().getTime(),
    });
    if (!(await members.insert(tx, row))) refuse("member.username_taken", { field: "username" });
    await audit.record(tx, null, "member.added", { target: row.id, after: { role: "admin" } });
    afterCommit(tx, onFirstMember);
    return row;
  };

  return {
    /**
     * On a database without members: makes the first admin from the environment, or answers the path of a one-time set-up link,
     * which voids the links of earlier starts. Null if there is nothing to set up.
     * @throws Refusal if the environment's name or password breaks the rules
     */
    async firstStart(fromEnvironment: NewAdmin | null): Promise<string | null> {
      const passwordHash =
        fromEnvironment !== null && (await members.isEmpty(db)) ? await check(fromEnvironment) : null;
      return transact(async (tx) => {
        // If two panels start on one database at once, the second waits here for the first.
        await repository.lockAttempts(tx, ["first-start"]);
        await repository.deleteAttempts(tx, "first-start");
        if (!(await members.isEmpty(tx))) return null;
        await repository.deleteSetupLinks(tx);
        if (fromEnvironment !== null && passwordHash !== null) {
          await insertAdmin(tx, fromEnvironment.username, passwordHash);
          return null;
        }
        const token = newToken();
        await repository.insertLinks(tx, [
          {
            token_hash: hashOfToken(token),
            purpose: "setup",
            member_id: null,
            member_role: null,
            config_id: null,
            expires_at: null,
            created_at: clock.now().getTime(),
          },
        ]);
        return `/setup#token=${token}`;
      });
    },

    /** Uses up the set-up link: creates the first admin and signs them in. */
    async setup(token: string, admin: NewAdmin, userAgent: string | null) {
      const now = clock.now().getTime();
      const link = await repository.findLink(db, "setup", hashOfToken(token), now);
      if (link === undefined) refuse("auth.link_invalid", { field: "token" });
      const passwordHash = await check(admin);
      return transact(async (tx) => {
        const taken = await repository.takeLink(tx, "setup", hashOfToken(token), now);
        if (taken === undefined || !(await members.isEmpty(tx))) refuse("auth.link_invalid", { field: "token" });
        const member = await insertAdmin(tx, admin.username, passwordHash);
        return { member, session: await openSession(tx, member, userAgent) };
      });
    },

    /** For the command line: one more admin, however many members there are. */
    async createAdmin(admin: NewAdmin): Promise<MemberRow> {
      const passwordHash = await check(admin);
      return transact(async (tx) => {
        await repository.deleteSetupLinks(tx);
        return insertAdmin(tx, admin.username, passwordHash);
      });
    },
  };
}
