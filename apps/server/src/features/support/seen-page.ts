import type { Actor } from "../../platform/http/call.ts";
import type { SupportParts } from "./parts.ts";

/**
 * A page of rows without those of members who do not exist for the reader, one row more than `limit` where there are more.
 * They are left out while the page is read, so that neither its length nor its cursor tells of them.
 */
export async function seenPage<Row extends { member_id: string }>(
  { db, members }: Pick<SupportParts, "db" | "members">,
  actor: Actor,
  limit: number,
  read: (after: Row | undefined, count: number) => Promise<Row[]>,
): Promise<Row[]> {
  const seen: Row[] = [];
  for (let last: Row | undefined; seen.length <= limit; ) {
    const rows = await read(last, limit + 1);
    const owners = [...new Set(rows.map((row) => row.member_id))];
    const hidden = actor.role === "admin" ? new Set() : await members.vipAmong(db, owners);
    seen.push(...rows.filter((row) => !hidden.has(row.member_id)));
    last = rows.at(-1);
    if (last === undefined || rows.length <= limit) break;
  }
  return seen.slice(0, limit + 1);
}
