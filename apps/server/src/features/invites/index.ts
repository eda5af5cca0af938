import { memberDeleted } from "../members/index.ts";
import { makeJoiningLimits } from "./joining-limits.ts";
import { makeOwnInvitations } from "./own-data.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { ATTEMPTS_KEPT_MS } from "./wrong-codes.ts";

export { drawCode, sealedInInvites } from "./code-book.ts";
export { inviteCodesChanged, joiningLimited } from "./events.ts";
export { ATTEMPTS_KEPT_MS, wrongCodesOf } from "./wrong-codes.ts";

/** Invite codes, and joining the club with one (decisions, section 4). */
export function makeInvites(parts: InviteParts) {
  const limits = makeJoiningLimits(parts);
  parts.events.on(memberDeleted, (tx, { memberId }) => repository.deactivateOwnCodes(tx, memberId));
  return {
    ownData: { invitations: makeOwnInvitations(parts) },
    /** Deletes outdated counts of wrong codes and registrations; once an hour is often enough. */
    async forgetOld(): Promise<void> {
      await parts.transact((tx) => repository.deleteAttemptsBefore(tx, parts.clock.now().getTime() - ATTEMPTS_KEPT_MS));
      await limits.forgetOld();
    },
  };
}
