import { chunks } from "../../../platform/database/chunks.ts";
import type { Db } from "../../../platform/database/database.ts";
import type { Members, MostUsing, Reach } from "../../members/members/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Range, Traffic } from "../../vpn/traffic/index.ts";
import { theMostFirst, type Use, usedBy } from "./breakdown.ts";

interface Query {
  range: Range;
  reach: Reach;
  withVip: boolean;
  limit: number;
}

/** Candidates checked for each wanted member before asking whether that is enough. */
const FIRST_LOOK = 8;

/**
 * The members who used a range the most, exactly. Candidates come in the order of the most that each can have used, which an
 * index provides: the search stops at the first who cannot exceed the last one found.
 */
export async function heaviest(
  db: Db,
  { range, reach, withVip, limit }: Query,
  parts: { members: Members; configs: Configs; traffic: Traffic },
): Promise<Use[]> {
  let found: Use[] = [];
  let after: MostUsing | undefined;
  for (let size = limit * FIRST_LOOK; ; size *= 2) {
    const some = await parts.members.mostUsing(db, reach, { after, withVip, limit: size });
    const ids = some.map(({ id }) => id);
    for (const chunk of chunks(ids)) found.push(...(await usedBy(db, range, chunk, parts)));
    found = found.toSorted(theMostFirst).slice(0, limit);
    after = some.at(-1);
    const last = found[limit - 1];
    if (some.length < size || after === undefined || (last && last.rx + last.tx >= after.atMost)) return found;
  }
}
