import type { FriendStanding } from "@krug/domain/referral";
import type { ClubSettings } from "../../club/settings/index.ts";
import { type FriendRow, standingOf } from "../../members/members/index.ts";

/** The referral rule's input for a friend, with the club's settings. */
export const standingOfFriend = (row: FriendRow, club: ClubSettings): FriendStanding => ({
  ...standingOf(row, club),
  subscriptionIsTrial: row.subscription_source === "trial",
  lastHandshakeAt: row.last_handshake_at || null,
});
