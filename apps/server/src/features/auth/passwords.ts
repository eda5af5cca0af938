import { PASSWORD_MAX, passwordMinFor, whyNotPassword } from "@krug/domain/account-rules";
import type { Role } from "@krug/domain/roles";
import type { Tx } from "../../platform/database/database.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Members } from "../members/index.ts";
import { isCommonPassword } from "./common-passwords.ts";
import * as repository from "./repository.ts";
import type { makeSessions } from "./sessions.ts";

/** Refuses what can't be the password of someone in this role; `field` is the input's name in the details. */
export async function checkNewPassword(password: string, role: Role, field = "password"): Promise<void> {
  const problem = whyNotPassword(password, role);
  if (problem !== null) refuse(problem, { field, min: passwordMinFor(role), max: PASSWORD_MAX });
  if (await isCommonPassword(password)) refuse("password.common", { field });
}

/** A new password ends the sessions that the old one opened, and the links that were to replace it. */
export const makeReplacePassword =
  ({ members, endSessions }: { members: Members } & Pick<ReturnType<typeof makeSessions>, "endSessions">) =>
  async (tx: Tx, memberId: string, passwordHash: string, exceptSessionId?: string): Promise<void> => {
    await members.update(tx, memberId, { password_hash: passwordHash });
    await endSessions(tx, memberId, { except: exceptSessionId });
    await repository.deleteLinksOf(tx, memberId);
  };
