import { isStaff } from "@krug/domain/roles";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import { isStaffsPassword } from "./passwords.ts";
import type { Proof } from "./prove-password.ts";
import type { makeSessions, OpenedSession, ProvenBy } from "./sessions.ts";

/** What is known of somebody who has proved to be a member. */
interface Entering {
  /** Whether their password meets the rules for staff. */
  isStaffs: boolean;
  underMaintenance: boolean;
  userAgent: string | null;
  by: ProvenBy;
}

export interface SignedIn {
  member: MemberRow;
  session: OpenedSession;
}

interface Parts extends Pick<ReturnType<typeof makeSessions>, "openSession" | "endSessions">, Platform {
  maintenance: Maintenance;
  members: Members;
  provePassword(proof: Proof): Promise<MemberRow | null>;
}

/** Signs in. Only someone who knows the password learns that an account is blocked or the club is under maintenance. */
export function makeSignIn({ db, transact, maintenance, members, provePassword, openSession, endSessions }: Parts) {
  const enter = async (tx: Tx, member: MemberRow, entering: Entering): Promise<SignedIn> => {
    const { isStaffs, underMaintenance, userAgent, by } = entering;
    if (member.is_active !== 1) refuse("member.blocked");
    // Staff keep their role for now, they may be needed; the next sign-in asks for a longer password.
    const known = underMaintenance && !isStaffs ? member : await members.notePassword(tx, member, isStaffs);
    if (underMaintenance && !isStaff(known.role)) refuse("maintenance.on");
    // A new role ends the sessions of the former one.
    if (known.role !== member.role) await endSessions(tx, known.id);
    return { member: known, session: await openSession(tx, known, userAgent, by) };
  };

  return {
    async signIn(proof: Proof, userAgent: string | null): Promise<SignedIn> {
      const proven = (await provePassword(proof)) ?? refuse("auth.wrong_credentials");
      const isStaffs = await isStaffsPassword(proof.password);
      const underMaintenance = await maintenance.isOn(db);
      return transact(async (tx) => {
        // The password may have been changed, or the account deleted, while its hash was being compared.
        const member = await members.lock(tx, proven.id);
        if (member === undefined || member.password_hash !== proven.password_hash) refuse("auth.wrong_credentials");
        return enter(tx, member, { isStaffs, underMaintenance, userAgent, by: "password" });
      });
    },

    /** Signs in a member, locked, who has proved otherwise who they are. Their password stays what it was. */
    signInProven: (tx: Tx, member: MemberRow, how: Omit<Entering, "isStaffs">): Promise<SignedIn> =>
      enter(tx, member, { ...how, isStaffs: member.staff_password === 1 }),
  };
}
