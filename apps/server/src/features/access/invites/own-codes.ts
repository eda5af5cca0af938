import { inviteState, OWN_CODE_LIFE_MS, whyNoOwnCode } from "@krug/domain/invite-rules";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { standingOf as memberStandingOf } from "../../members/members/index.ts";
import { type CodeBook, standingOf } from "./code-book.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";

/** A member's codes for friends: 12 h, single use, one live at a time (decisions, section 4). */
export function makeOwnCodes(parts: InviteParts, codeBook: CodeBook) {
  const { db, transact, clock, clubTime, settings, members } = parts;
  const live = (row: InviteRow | undefined) =>
    row !== undefined && inviteState(standingOf(row), clock.now()) === "active" ? row : undefined;

  return {
    /** The live code, if any. */
    find: async (actor: Actor): Promise<InviteRow | undefined> => live(await repository.newestOwn(db, actor.memberId)),

    make: (actor: Actor): Promise<InviteRow> =>
      transact(async (tx) => {
        // The lock keeps two tabs from making two.
        const member = (await members.lock(tx, actor.memberId)) ?? refuse("auth.required");
        const existing = live(await repository.newestOwn(tx, member.id));
        if (existing !== undefined) return existing;
        const now = clock.now().getTime();
        const club = await settings.read(tx);
        const standing = {
          ...memberStandingOf(member, club),
          subscriptionIsTrial: member.subscription_source === "trial",
          hasAcceptedRules: member.accepted_rules_at !== null,
          ownCodesThisMonth: await repository.countOwnSince(tx, member.id, clubTime.startOfMonth(now)),
          ownCodesPerMonth: club.ownCodesPerMonth,
        };
        refuseIf(whyNoOwnCode(standing, now), { limit: club.ownCodesPerMonth });
        return codeBook.write(tx, {
          kind: "member",
          created_by: member.id,
          created_at: now,
          expires_at: now + OWN_CODE_LIFE_MS,
          max_uses: 1,
          current_uses: 0,
          subscription_days: null,
          subscription_end: null,
          interface_ids: "[]",
          template_id: null,
          is_active: 1,
        });
      }),
  };
}
