import { memberChanged } from "../../members/members/index.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** Of the panel that looks. If it dies, another continues after this long. */
export const LEASE_MS = 4_000;
/** How far back a panel looks first when it takes over: longer than the lease, and than panels' clocks may differ. */
const BACK_MS = 30_000;

/** Takes peers off the wire whose subscriptions have ended. */
export function makeCutEnded({ db, transact, clock, jobs, events, interfaces, members }: ConfigParts) {
  let endedUpTo = clock.now().getTime();
  return {
    /** Those that ended since the last check, in either direction of the clock. */
    async cut(): Promise<void> {
      const now = clock.now().getTime();
      // After a clock was corrected, the same check restores those cut off too early.
      const memberIds = await members.endedBetween(db, Math.min(endedUpTo, now), Math.max(endedUpTo, now));
      if (memberIds.length > 0) {
        const rows = await repository.ofMembers(db, memberIds);
        await transact(async (tx) => {
          await enqueueApply({ jobs, interfaces }, tx, rows);
          await events.recordAll(
            tx,
            memberChanged,
            memberIds.map((memberId) => ({ memberId })),
          );
        });
      }
      endedUpTo = now;
    },
    /** Another panel has looked. */
    leave(): void {
      endedUpTo = clock.now().getTime() - BACK_MS;
    },
  };
}
