import { memberDeleted } from "../members/index.ts";
import { makeCheckCode } from "./check-code.ts";
import { makeCodeBook } from "./code-book.ts";
import { makeJoiningLimits } from "./joining-limits.ts";
import { makeOwnInvitations } from "./own-data.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeInviteAuthRoutes, makeInviteRoutes } from "./routes.ts";
import { ATTEMPTS_KEPT_MS } from "./wrong-codes.ts";

export { drawCode, sealedInInvites } from "./code-book.ts";
export { inviteCodesChanged, joiningLimited } from "./events.ts";
export { ATTEMPTS_KEPT_MS, wrongCodesOf } from "./wrong-codes.ts";

/** Invite codes, and joining the club with one (decisions, section 4). */
export function makeInvites(parts: InviteParts) {
  const codeBook = makeCodeBook(parts.sealing);
  const checkCode = makeCheckCode(parts, codeBook);
  const limits = makeJoiningLimits(parts);
  parts.events.on(memberDeleted, (tx, { memberId }) => repository.deactivateOwnCodes(tx, memberId));
  return {
    routes: makeInviteRoutes(parts, codeBook),
    authRoutes: makeInviteAuthRoutes(parts, codeBook, checkCode, limits),
    ownData: makeOwnInvitations(parts),
    /** Forgets wrong codes and registrations that count no more; once an hour is often enough. */
    async forgetOldAttempts(): Promise<void> {
      await parts.transact((tx) => repository.deleteAttemptsBefore(tx, parts.clock.now().getTime() - ATTEMPTS_KEPT_MS));
      await limits.forgetOld();
    },
  };
}
