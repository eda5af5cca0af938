import type { Transact, Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import type { ClientAddress } from "../../platform/http/client-address.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Audit } from "../audit/index.ts";
import type { MemberRow, Members } from "../members/index.ts";
import { hashPassword } from "./password-hash.ts";
import { checkNewPassword } from "./passwords.ts";
import type { Proof } from "./prove-password.ts";

interface Parts {
  transact: Transact;
  audit: Audit;
  members: Members;
  provePassword(proof: Proof): Promise<MemberRow | null>;
  replacePassword(tx: Tx, memberId: string, passwordHash: string, exceptSessionId?: string): Promise<void>;
}

/** New passwords for old, by the member himself or by the command line. */
export function makeChangePassword({ transact, audit, members, provePassword, replacePassword }: Parts) {
  return {
    /** One's own; the other sessions end. A wrong current password counts as a login attempt. */
    async changePassword(
      actor: Actor,
      { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
      address: ClientAddress,
    ): Promise<void> {
      const proven = await provePassword({ username: actor.username, password: currentPassword, address });
      if (proven === null) refuse("password.wrong_current", { field: "currentPassword" });
      if (newPassword === currentPassword) refuse("password.same", { field: "newPassword" });
      await checkNewPassword(newPassword, proven.role, "newPassword");
      const passwordHash = await hashPassword(newPassword);
      await transact(async (tx) => {
        const member = await members.lock(tx, actor.memberId);
        // Of two changes at once the first wins; the second no longer knows the current password.
        if (member?.password_hash !== proven.password_hash)
          refuse("password.wrong_current", { field: "currentPassword" });
        await replacePassword(tx, actor.memberId, passwordHash, actor.sessionId);
      });
    },

    /** For the command line: a locked-out operator's way back in. All sessions of the account end. */
    async resetPassword(idOrUsername: string, password: string): Promise<MemberRow> {
      const found = await transact((tx) => members.findByIdOrUsername(tx, idOrUsername));
      if (found === undefined) refuse("member.not_found");
      await checkNewPassword(password, found.role);
      const passwordHash = await hashPassword(password);
      return transact(async (tx) => {
        const member = (await members.lock(tx, found.id)) ?? refuse("member.not_found");
        await replacePassword(tx, member.id, passwordHash);
        await audit.record(tx, { actorId: null, action: "member.password_reset", target: member.id });
        return member;
      });
    },
  };
}
