import { PASSWORD_MAX, passwordMinFor, whyNotPassword } from "@krug/domain/account-rules";
import type { Role } from "@krug/domain/roles";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { isCommonPassword } from "./common-passwords.ts";
import * as repository from "./repository.ts";
import type { makeSessions } from "./sessions.ts";

/** Whether a password that was right is what staff's has to be. */
export const isStaffsPassword = async (password: string): Promise<boolean> =>
  whyNotPassword(password, "admin") === null && !(await isCommonPassword(password));

/** Refuses what can't be the password of someone in this role; `field` is the input's name in the details. */
export async function checkNewPassword(password: string, role: Role, field = "password"): Promise<void> {
  const problem = whyNotPassword(password, role);
  if (problem !== null) refuse(problem, { field, min: passwordMinFor(role), max: PASSWORD_MAX });
  if (await isCommonPassword(password)) refuse("password.common", { field });
}

/** A password that was checked. */
export interface FreshPassword {
  hash: string;
  isStaffs: boolean;
}

export type ReplacePassword = ReturnType<typeof makeReplacePassword>;

interface Parts extends Pick<ReturnType<typeof makeSessions>, "endSessions"> {
  members: Members;
  forgiveAccount(tx: Tx, username: string): Promise<void>;
}

/**
 * A new password ends the sessions that the old one opened, the links that were to replace it, and the wait that guesses at it
 * have caused. Returns the member's current row.
 */
export const makeReplacePassword =
  ({ members, endSessions, forgiveAccount }: Parts) =>
  async (tx: Tx, member: MemberRow, fresh: FreshPassword, exceptSessionId?: string): Promise<MemberRow> => {
    const after = await members.setPasswordHash(tx, member, fresh.hash, fresh.isStaffs);
    await endSessions(tx, member.id, { except: exceptSessionId });
    await repository.deletePasswordLinksOf(tx, member.id);
    await forgiveAccount(tx, member.username);
    return after;
  };
