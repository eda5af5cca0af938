import type { Api } from "@krug/contract/api";
import { polledQuery, query } from "../../../lib/query.ts";

/** Key of all staff views of the club's codes: refetched when any code changed. */
export const CLUB_INVITES = ["club-invites"] as const;

/** Wrong codes from this address and the end of the ban (ms since 1970, null without one), as counted by the server. */
export const inviteAttemptsQuery = query(["invite-attempts"], "GET /auth/invite-attempts", { staleTime: 0 });

export type Friend = Api["GET /users/{id}/invited"]["answer"][number];

/** Key of the member's friends: refetched when the club told the member something, such as a friend's first connection. */
export const FRIENDS = ["invited"] as const;

/** While the invite panel is open, a friend who uses the code appears by itself. */
const OPEN_REFRESH_MS = 10_000;

/** The friends that a member invited, newest first. `watched`: the list is on the screen. */
export const friendsQuery = (memberId: string, watched: boolean) =>
  polledQuery([...FRIENDS, memberId], "GET /users/{id}/invited", {
    params: { id: memberId },
    staleTime: watched ? 0 : 300_000,
    refetchInterval: watched ? OPEN_REFRESH_MS : false,
  });

/** The member's own valid code; without `code` if there is none. A code that a friend used is gone. */
export const ownCodeQuery = (memberId: string) =>
  polledQuery(["own-code", memberId], "GET /users/{id}/active-invite", {
    params: { id: memberId },
    staleTime: 0,
    refetchInterval: OPEN_REFRESH_MS,
  });
