import { isoOf } from "@krug/domain/moment";
import { isFriendHidden } from "../../club/rights/index.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** A list in an answer has at most this many rows (decisions, section 13). */
const MOST_ROWS = 1_000;

/** A member's invitations for their data export: when they made codes and which friends joined. A code itself is a secret. */
export const makeOwnInvitations =
  ({ db, members }: InviteParts) =>
  async (memberId: string) => {
    const codes = await repository.ownCodes(db, memberId, MOST_ROWS);
    const friends = await members.friendsOf(db, memberId, MOST_ROWS);
    const role = (await members.find(db, memberId))?.role ?? "user";
    return {
      codes: codes.map((row) => ({
        madeAt: isoOf(row.created_at),
        expiresAt: isoOf(row.expires_at),
        used: row.current_uses > 0,
      })),
      friends: friends
        .filter((row) => !isFriendHidden({ role }, row))
        .map((row) => ({ displayName: row.display_name, joinedAt: isoOf(row.created_at) })),
    };
  };
