import { isAheadOfTime, MINUTE_MS } from "@krug/domain/moment";
import type { Clock } from "../clock.ts";
import { lockPlace, type Transact } from "../database/database.ts";

const WINDOW_MS = MINUTE_MS;
const PER_WINDOW = 60;

type CreationTables = {
  /** `made_at`: a JSON list of ms since 1970, at most as many as a minute allows. */
  creations: { member_id: string; made_at: string; last_at: number };
};

export type CreationLimit = ReturnType<typeof makeCreationLimit>;

/** Limits creations to 60 a minute per member (decisions, section 2), over all panels on the database. */
export function makeCreationLimit({ transact, clock }: { transact: Transact; clock: Clock }) {
  return {
    /** Counts one. Returns the ms to wait, 0 if the creation may proceed. */
    wait: (memberId: string): Promise<number> =>
      transact(async (tx) => {
        await lockPlace(tx, `creations:${memberId}`);
        const now = clock.now().getTime();
        const creations = tx.withTables<CreationTables>();
        const row = await creations
          .selectFrom("creations")
          .select("made_at")
          .where("member_id", "=", memberId)
          .executeTakeFirst();
        const times = (JSON.parse(row?.made_at ?? "[]") as number[]).filter(
          (at) => at > now - WINDOW_MS && !isAheadOfTime(at, now),
        );
        if (times.length >= PER_WINDOW) return Math.max(1, (times[0] ?? now) + WINDOW_MS - now);
        const after = { made_at: JSON.stringify([...times, now]), last_at: now };
        await creations
          .insertInto("creations")
          .values({ member_id: memberId, ...after })
          .onConflict((conflict) => conflict.column("member_id").doUpdateSet(after))
          .execute();
        return 0;
      }),
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const before = clock.now().getTime() - WINDOW_MS;
        await tx.withTables<CreationTables>().deleteFrom("creations").where("last_at", "<=", before).execute();
      }),
  };
}
