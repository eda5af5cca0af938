import { HOUR_MS } from "@krug/domain/moment";
import { groupBy } from "../../../platform/group-by.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { Tell } from "./tell.ts";

/** On the club's clock. */
const FROM_HOUR = 9;

/** Tells staff who asked for it, once a day, what the day before was like and what waits for them. */
export function makeTellDailyDigest(parts: InboxParts, tell: Tell) {
  const { db, transact, clock, clubTime, members, outbox, dayFigures } = parts;
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    const midnight = clubTime.startOfDay(now);
    if (clubTime.toWall(now) - clubTime.toWall(midnight) < FROM_HOUR * HOUR_MS) return;
    const staff = await members.activeStaff(db);
    const wanting = new Set(
      await outbox.wanting(
        db,
        staff.map(({ id }) => id),
        "digest",
      ),
    );
    const onceKey = `daily_digest:${clubTime.dayOf(midnight)}`;
    const known = await repository.toldKeys(db, [...wanting]);
    const due = staff.filter(({ id }) => wanting.has(id) && !known.has(`${id} ${onceKey}`));
    // All who see the same are told by one look.
    for (const [withVip, readers] of groupBy(due, seesVip)) {
      const params = await dayFigures({ memberId: readers[0]?.id ?? "", withVip });
      const told = { kind: "daily_digest" as const, params };
      await transact((tx) =>
        tell(
          tx,
          readers.map(({ id: memberId }) => ({ memberId, told, onceKey, countsVip: withVip })),
        ),
      );
    }
  };
}
