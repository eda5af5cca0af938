import { DAY_MS, isoOf } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import { hashOfToken, newToken } from "../../../platform/secret-token.ts";
import * as repository from "./repository.ts";
import type { LinkRow } from "./table.ts";

type Bound = Pick<LinkRow, "purpose" | "member_id" | "member_role" | "config_id">;

export const LINK_LIFE_MS = DAY_MS;

/** Writes a link that is valid once, for 24 h unless told otherwise; `expiresAt` is an ISO time. The database holds the token's hash only. */
export async function insertLink(
  tx: Tx,
  now: Date,
  bound: Bound,
  lifeMs = LINK_LIFE_MS,
): Promise<{ token: string; expiresAt: string }> {
  const [token = ""] = await insertLinks(tx, now, [bound], lifeMs);
  return { token, expiresAt: isoOf(now.getTime() + lifeMs) };
}

/** The same for many; returns their tokens in the same order. */
export async function insertLinks(tx: Tx, now: Date, all: readonly Bound[], lifeMs = LINK_LIFE_MS): Promise<string[]> {
  const made = all.map((bound) => ({ token: newToken(), bound }));
  const times = { expires_at: now.getTime() + lifeMs, created_at: now.getTime() };
  await repository.insertLinks(
    tx,
    made.map(({ token, bound }) => ({ token_hash: hashOfToken(token), ...bound, ...times })),
  );
  return made.map(({ token }) => token);
}
