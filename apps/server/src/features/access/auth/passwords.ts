import { PASSWORD_MAX, passwordMinFor, whyNotPassword } from "@krug/domain/account-rules";
import type { Role } from "@krug/domain/roles";
import type { Tx } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { passwordReset } from "./events.ts";
import * as repository from "./repository.ts";
import type { makeSessions } from "./sessions.ts";

/** Whether a correct password also meets the rules for staff. */
export const isStaffsPassword = async (password: string): Promise<boolean> =>
  whyNotPassword(password, "admin") === null && !(await isCommonPassword(password));

/** Refuses a password that this role may not have; `field` is the input's name in the details. */
export async function checkNewPassword(password: string, role: Role, field = "password"): Promise<void> {
  const problem = whyNotPassword(password, role);
  if (problem !== null) refuse(problem, { field, min: passwordMinFor(role), max: PASSWORD_MAX });
  if (await isCommonPassword(password)) refuse("password.common", { field });
}

/** A password that passed the checks. */
export interface FreshPassword {
  hash: string;
  isStaffs: boolean;
}

export type ReplacePassword = ReturnType<typeof makeReplacePassword>;

interface Parts extends Pick<ReturnType<typeof makeSessions>, "endSessions"> {
  events: Events;
  members: Members;
  forgiveAccount(tx: Tx, username: string): Promise<void>;
}

/**
 * A new password ends the sessions that the old one opened, the links that were to replace it, and the waits caused by guesses at
 * it. Returns the member's current row.
 */
export const makeReplacePassword =
  ({ events, members, endSessions, forgiveAccount }: Parts) =>
  async (tx: Tx, member: MemberRow, fresh: FreshPassword, exceptSessionId?: string): Promise<MemberRow> => {
    const after = await members.setPasswordHash(tx, member, fresh.hash, fresh.isStaffs);
    await endSessions(tx, member.id, { except: exceptSessionId });
    await repository.deletePasswordLinksOf(tx, member.id);
    if (exceptSessionId === undefined) await events.record(tx, passwordReset, { memberId: member.id });
    await forgiveAccount(tx, member.username);
    return after;
  };
