import { RECEIPTS_KEPT_MS } from "@krug/domain/payment-rules";
import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { memberDeleted } from "../../members/members/index.ts";
import { makeOwnPayments } from "./data-export.ts";
import { makeDeclineClaim } from "./decline-claim.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { cameInLately } from "./revenue.ts";
import { makeSetStatus } from "./set-status.ts";
import { makeStaffClaims } from "./staff-claims.ts";
import { moneyOf } from "./sums.ts";

export {
  claimChanged,
  ifSeveral,
  paymentChanged,
  paymentClaimed,
  paymentOverdue,
  paymentRecorded,
  paymentTakenBack,
} from "./events.ts";

export { priceOf } from "./prices.ts";

export type Payments = ReturnType<typeof makePayments>;

/** Members' monthly payments, their claims, and staff's decisions (decisions, section 5). */
export function makePayments(parts: PaymentParts) {
  const { db, transact, clock, events, members } = parts;
  // Their months stay with the nameless tombstone (decisions, section 2).
  events.on(memberDeleted, (tx, { memberId }) => repository.forgetWords(tx, memberId));
  /** How many claims wait for staff. */
  const claimsWaiting = (withVip: boolean) =>
    repository.countWaiting(db, { without: withVip ? null : members.vipIds(db), among: null });
  return {
    /** The payments between two times, ms, and how many claims wait for staff. */
    async ofSpan({ from, until, withVip }: { from: number; until: number; withVip: boolean }) {
      const without = withVip ? null : members.vipIds(db);
      const paid = await repository.paidBetween(db, from, until, without);
      const span = { name: "", from, until };
      const extended = await members.ledger.extensionsIn(db, [span], { vip: withVip, deleted: "with" });
      return {
        payments:
          paid.reduce((sum, { payments }) => sum + payments, 0) + extended.reduce((sum, { paid }) => sum + paid, 0),
        received: moneyOf([...paid, ...extended]),
        claims: await claimsWaiting(withVip),
      };
    },
    claimsWaiting,
    /** What was paid in each of the last `count` months, the oldest first. */
    cameInLately: (count: number, withVip: boolean) => cameInLately(parts, count, withVip),
    /** Staff's decision on a claim, wherever they make it. */
    claims: {
      ...makeStaffClaims(parts),
      byId: (over: Db | Tx, id: string) => repository.findClaim(over, id),
      setStatus: makeSetStatus(parts),
      decline: makeDeclineClaim(parts),
    },
    dataExport: { payments: makeOwnPayments(parts) },
    /** Deletes receipts decided on long ago, and what can no longer be undone; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        await repository.deleteReceiptsDecidedBefore(tx, now - RECEIPTS_KEPT_MS);
        await repository.deleteReplacedBefore(tx, now - UNDO_UNTIL_MS);
      }),
  };
}
