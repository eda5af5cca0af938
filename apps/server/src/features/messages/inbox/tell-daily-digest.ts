import { HOUR_MS } from "@krug/domain/moment";
import { groupBy } from "../../../platform/group-by.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { Tell } from "./tell.ts";

/** By the club's clock. */
const FROM_HOUR = 9;

/** Sends staff who asked for it a daily summary of the day before and of what waits for them. */
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
    // Calculated once for everyone who sees the same.
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
