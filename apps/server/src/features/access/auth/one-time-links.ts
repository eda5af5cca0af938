import { DAY_MS, isoOf } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import { hashOfToken, newToken } from "../../../platform/secret-token.ts";
import * as repository from "./repository.ts";
import type { LinkRow } from "./table.ts";

const LINK_LIFE_MS = DAY_MS;
/** Of the links of a whole club that moves in: its people do not all look within a day. */
export const LONGEST_LINK_MS = 14 * DAY_MS;

/** Writes a link that is valid once, for 24 h unless told otherwise; `expiresAt` is an ISO time. The database holds the token's hash only. */
export async function insertLink(
  tx: Tx,
  now: Date,
  bound: Pick<LinkRow, "purpose" | "member_id" | "member_role" | "config_id">,
  lifeMs = LINK_LIFE_MS,
): Promise<{ token: string; expiresAt: string }> {
  const token = newToken();
  const expiresAt = now.getTime() + lifeMs;
  await repository.insertLink(tx, {
    token_hash: hashOfToken(token),
    ...bound,
    expires_at: expiresAt,
    created_at: now.getTime(),
  });
  return { token, expiresAt: isoOf(expiresAt) };
}
