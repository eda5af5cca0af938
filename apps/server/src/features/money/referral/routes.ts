import type { InvitedFriendAnswer } from "@krug/contract/access/invites";
import type { Contract } from "@krug/contract/api";
import { entitlement } from "@krug/domain/entitlement";
import { isoOf } from "@krug/domain/moment";
import { type FriendStanding, hasOwnSubscription, whyNotCounting } from "@krug/domain/referral";
import { isStaff } from "@krug/domain/roles";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isFriendHidden, requireRight } from "../../club/rights/index.ts";
import { type MemberRow, standingOf } from "../../members/members/index.ts";
import type { ReferralParts } from "./parts.ts";

/** A list has at most this many rows (decisions, section 13). */
const MOST_FRIENDS = 1_000;

export function makeReferralRoutes(parts: ReferralParts): Pick<Handlers<Contract["invites"]>, "invited"> {
  const { db, clock, clubTime, settings, members } = parts;

  const inviter = async (actor: Actor, idOrUsername: string): Promise<string> => {
    if (idOrUsername === actor.memberId || idOrUsername.toLowerCase() === actor.username.toLowerCase())
      return actor.memberId;
    requireRight(actor, "members.see", "auth.not_yourself", { field: "id" });
    const row = await members.findByIdOrUsername(db, idOrUsername);
    if (row === undefined || isFriendHidden(actor, row)) refuse("member.not_found");
    return row.id;
  };

  return {
    async invited({ actor, params, query }) {
      const viewer = query.as !== undefined && isStaff(actor.role) ? { ...actor, role: query.as } : actor;
      const rows = await members.friendsOf(db, await inviter(viewer, params.id), MOST_FRIENDS);
      const friends = rows.filter((row) => row.id === actor.memberId || !isFriendHidden(viewer, row));
      const club = await settings.read(db);
      const seen = await members.lastSeen(
        db,
        friends.map((row) => row.id),
      );
      return friends.map((row) =>
        answer(
          row,
          {
            ...standingOf(row, club),
            subscriptionIsTrial: row.subscription_source === "trial",
            lastHandshakeAt: seen.get(row.id) ?? null,
          },
          clock.now(),
          clubTime,
        ),
      );
    },
  };
}

function answer(row: MemberRow, standing: FriendStanding, now: Date, clubTime: ClubTime): InvitedFriendAnswer {
  const reasonWhyNot = whyNotCounting(standing, now);
  const { reason } = entitlement(standing, now);
  const { subscriptionEnd } = standing;
  return {
    id: row.id,
    displayName: row.display_name,
    joinedAt: isoOf(row.created_at),
    hasActiveSubscription: hasOwnSubscription(standing, now),
    subscriptionUntil: reason === "subscription" ? clubTime.write(subscriptionEnd) : null,
    counts: reasonWhyNot === null,
    reasonWhyNot,
  };
}
