import { isStaff } from "@krug/domain/roles";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { MemberRow, Members } from "../members/index.ts";
import type { Proof } from "./prove-password.ts";
import type { OpenedSession } from "./sessions.ts";

export interface SignedIn {
  member: MemberRow;
  session: OpenedSession;
}

interface Parts {
  db: Db;
  transact: Transact;
  maintenance: Maintenance;
  members: Members;
  provePassword(proof: Proof): Promise<MemberRow | null>;
  openSession(tx: Tx, member: MemberRow, userAgent: string | null): Promise<OpenedSession>;
}

/** Signs in. Only someone who knows the password learns that an account is blocked or the club is under maintenance. */
export function makeSignIn({ db, transact, maintenance, members, provePassword, openSession }: Parts) {
  return async (proof: Proof, userAgent: string | null): Promise<SignedIn> => {
    const proven = (await provePassword(proof)) ?? refuse("auth.wrong_credentials");
    const underMaintenance = await maintenance.isOn(db);
    return transact(async (tx) => {
      // The password may have been changed, or the account deleted, while its hash was being compared.
      const member = await members.lock(tx, proven.id);
      if (member === undefined || member.password_hash !== proven.password_hash) refuse("auth.wrong_credentials");
      if (member.is_active !== 1) refuse("member.blocked");
      if (underMaintenance && !isStaff(member.role)) refuse("maintenance.on");
      return { member, session: await openSession(tx, member, userAgent) };
    });
  };
}
