import { inviteState } from "@krug/domain/invite-rules";
import type { Db } from "../../../platform/database/database.ts";
import { memberDeleted } from "../../members/members/index.ts";
import { templateDeleted } from "../../members/templates/index.ts";
import { makeCodeBook, standingOf } from "./code-book.ts";
import { makeOwnInvitations } from "./data-export.ts";
import { makeJoiningLimits } from "./joining-limits.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeStaffCodes } from "./staff-codes.ts";
import { usesSeen } from "./uses-seen.ts";
import { ATTEMPTS_KEPT_MS } from "./wrong-codes.ts";

export { drawCode, sealedInInvites } from "./code-book.ts";
export { codesGuessed, inviteCodesChanged, joiningLimited } from "./events.ts";
export { ATTEMPTS_KEPT_MS, wrongCodesOf } from "./wrong-codes.ts";

export type Invites = ReturnType<typeof makeInvites>;

/** Invite codes, and joining the club with one (decisions, section 4). */
export function makeInvites(parts: InviteParts) {
  const limits = makeJoiningLimits(parts);
  const codeBook = makeCodeBook(parts.sealing);
  parts.events.on(memberDeleted, (tx, { memberId }) => repository.deactivateOwnCodes(tx, memberId));
  parts.events.on(templateDeleted, (tx, { templateId }) => repository.takeTemplateOff(tx, templateId));
  return {
    dataExport: { invitations: makeOwnInvitations(parts) },
    hasStaffCodes: repository.hasStaffCodes,
    deactivateOf: makeStaffCodes(parts, codeBook).deactivateOf,
    /** The staff code that was typed in full, as readers with or without sight of VIP members see it. */
    async staffCodeTyped(db: Db, typed: string, { withVip }: { withVip: boolean }) {
      const codeHash = codeBook.hashOfTyped(typed);
      const row = codeHash === null ? undefined : await repository.staffCodeByHash(db, codeHash);
      if (row === undefined) return undefined;
      const uses = await repository.usesOf(db, [row.id], usesSeen(parts.members, withVip));
      const terms = { ...standingOf(row), currentUses: uses.get(row.id) ?? row.current_uses };
      return { id: row.id, code: codeBook.codeOf(row), state: inviteState(terms, parts.clock.now()) };
    },
    /** Deletes outdated counts of wrong codes and registrations; once an hour is often enough. */
    async forgetOld(): Promise<void> {
      await parts.transact((tx) => repository.deleteAttemptsBefore(tx, parts.clock.now().getTime() - ATTEMPTS_KEPT_MS));
      await limits.forgetOld();
    },
  };
}
