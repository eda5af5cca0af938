import type { Transact, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { type MemberRow, type Members, promisedRole } from "../../members/members/index.ts";
import { checkNewPassword, type FreshPassword, type ReplacePassword } from "./passwords.ts";
import type { Proof } from "./prove-password.ts";

interface Parts {
  transact: Transact;
  audit: Audit;
  members: Members;
  freshPassword(password: string): Promise<FreshPassword>;
  provePassword(proof: Proof): Promise<MemberRow | null>;
  replacePassword: ReplacePassword;
  forgiveEveryone(tx: Tx): Promise<void>;
  notePassword(tx: Tx, actor: Actor): Promise<void>;
}

type Caller = Pick<Proof, "address" | "device">;

/** Replaces passwords, by the member or from the command line. */
export function makeChangePassword({
  transact,
  audit,
  members,
  freshPassword,
  provePassword,
  replacePassword,
  forgiveEveryone,
  notePassword,
}: Parts) {
  /** The member with the row locked; null if the password has changed since it was checked. */
  const lockProven = async (tx: Tx, proven: MemberRow): Promise<MemberRow | null> => {
    const member = await members.lock(tx, proven.id);
    return member?.password_hash === proven.password_hash ? member : null;
  };

  return {
    /** Confirms in a session that the caller is still the member. A wrong password counts as a login attempt. */
    async confirmPassword(actor: Actor, password: string, caller: Caller): Promise<MemberRow> {
      const proven = await provePassword({ username: actor.username, password, ...caller });
      if (proven === null) refuse("password.wrong_current", { field: "password" });
      return transact(async (tx) => {
        const member = (await lockProven(tx, proven)) ?? refuse("password.wrong_current", { field: "password" });
        await notePassword(tx, actor);
        return member;
      });
    },

    /** The member's own password; other sessions end. A wrong current password counts as a login attempt. */
    async changePassword(
      actor: Actor,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
      caller: Caller,
    ): Promise<MemberRow> {
      const proven = await provePassword({ username: actor.username, password: currentPassword, ...caller });
      if (proven === null) refuse("password.wrong_current", { field: "currentPassword" });
      if (newPassword === currentPassword) refuse("password.same", { field: "newPassword" });
      await checkNewPassword(newPassword, promisedRole(proven), "newPassword");
      const fresh = await freshPassword(newPassword);
      return transact(async (tx) => {
        // If two changes come at once, the first wins; the second then has the wrong current password.
        const member = (await lockProven(tx, proven)) ?? refuse("password.wrong_current", { field: "currentPassword" });
        await notePassword(tx, actor);
        return replacePassword(tx, member, fresh, actor.sessionId);
      });
    },

    /**
     * For the command line, when an operator is locked out. All sessions of the account end, and all waits after wrong passwords,
     * because nothing tells which attempts were the operator's.
     */
    async resetPassword(idOrUsername: string, password: string): Promise<MemberRow> {
      const found = await transact((tx) => members.findByIdOrUsername(tx, idOrUsername));
      if (found === undefined) refuse("member.not_found");
      await checkNewPassword(password, promisedRole(found));
      const fresh = await freshPassword(password);
      return transact(async (tx) => {
        const member = (await members.lock(tx, found.id)) ?? refuse("member.not_found");
        await replacePassword(tx, member, fresh);
        await forgiveEveryone(tx);
        await audit.record(tx, null, "member.password_reset", { target: member.id });
        return member;
      });
    },
  };
}
