import { isAheadOfTime, MINUTE_MS } from "@krug/domain/moment";
import type { Clock } from "../clock.ts";
import { lockPlace, type Transact, type Tx, untilRefused } from "../database/database.ts";
import { prepared, preparedForRow } from "../database/prepared.ts";
import { Refusal, refuse } from "../refusal.ts";

const WINDOW_MS = MINUTE_MS;
const PER_WINDOW = 60;

type CreationTables = {
  /** `made_at`: a JSON list of ms since 1970, at most as many as a minute allows. */
  creations: { member_id: string; made_at: string; last_at: number };
};

const madeBy = prepared((db, { memberId }: { memberId: string }) =>
  db.withTables<CreationTables>().selectFrom("creations").select("made_at").where("member_id", "=", memberId),
);
const save = preparedForRow<CreationTables["creations"]>((tx, { member_id, ...after }) =>
  tx
    .withTables<CreationTables>()
    .insertInto("creations")
    .values({ member_id, ...after })
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet(after)),
);

export type CreationLimit = ReturnType<typeof makeCreationLimit>;

/** Limits creations to 60 a minute per member (decisions, section 2), over all panels on the database. */
export function makeCreationLimit({ transact, clock }: { transact: Transact; clock: Clock }) {
  /** @throws Refusal request.too_many */
  const count = async (tx: Tx, memberId: string): Promise<void> => {
    await lockPlace(tx, `creations:${memberId}`);
    const now = clock.now().getTime();
    const [row] = await madeBy(tx, { memberId });
    const times = (JSON.parse(row?.made_at ?? "[]") as number[]).filter(
      (at) => at > now - WINDOW_MS && !isAheadOfTime(at, now),
    );
    if (times.length >= PER_WINDOW) {
      const waitMs = Math.max(1, (times[0] ?? now) + WINDOW_MS - now);
      refuse("request.too_many", { seconds: Math.ceil(waitMs / 1000) });
    }
    await save(tx, { member_id: memberId, made_at: JSON.stringify([...times, now]), last_at: now });
  };
  return {
    /** Counts one. @throws Refusal request.too_many */
    count: (memberId: string): Promise<void> => transact((tx) => count(tx, memberId)),
    /** Counts one in the transaction that makes it: one commit for both. A refused one counts too. @throws as `count` */
    async counted<Result>(memberId: string, make: (tx: Tx) => Promise<Result>): Promise<Result> {
      const result = await transact(async (tx) => {
        await count(tx, memberId);
        return untilRefused(tx, () => make(tx));
      });
      if (result instanceof Refusal) throw result;
      return result;
    },
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const before = clock.now().getTime() - WINDOW_MS;
        await tx.withTables<CreationTables>().deleteFrom("creations").where("last_at", "<=", before).execute();
      }),
  };
}
