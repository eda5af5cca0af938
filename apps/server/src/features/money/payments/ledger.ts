import type { contract } from "@krug/contract/api";
import type { QueryOf } from "@krug/contract/endpoint";
import type { LedgerEntryAnswer, OwnLedgerEntryAnswer } from "@krug/contract/money/payments";
import { isGift } from "@krug/domain/ledger";
import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import { pageOf, readCursor, writeCursor } from "../../../platform/pages.ts";
import type { LedgerRow } from "../../members/members/index.ts";
import type { PaymentParts } from "./parts.ts";

type Query = QueryOf<typeof contract.payments.ownLedger>;

/** What moved a member's subscription, for them and for staff (ADR 171). */
export function makeLedger({ db, clubTime, members }: PaymentParts) {
  const page = async (memberId: string, { cursor, limit }: Query) => {
    const before = readCursor(cursor, "number")?.key;
    const found = await members.ledger.ofMember(db, memberId, { before, limit: limit + 1 });
    return pageOf(found, { limit }, (last) => writeCursor(last.seq, ""));
  };
  const entryOf = (row: LedgerRow): OwnLedgerEntryAnswer => ({
    number: row.seq,
    at: isoOf(row.at),
    kind: row.kind,
    isGift: isGift(row),
    endBefore: clubTime.write(row.end_before),
    endAfter: clubTime.write(row.end_after),
    period: row.period,
    months: row.months,
    amount: row.amount === null ? null : decimalOf(row.amount),
    currency: row.currency,
  });

  return {
    async own(memberId: string, query: Query) {
      const { rows, next } = await page(memberId, query);
      return { rows: rows.map(entryOf), next };
    },

    /** `withVip`: the reader may see VIP members. */
    async forStaff(memberId: string, query: Query, withVip: boolean) {
      const { rows, next } = await page(memberId, query);
      const people = await members.byIds(db, [...new Set(rows.flatMap(({ by_id }) => by_id ?? []))]);
      const known = new Map(
        people
          .filter((row) => withVip || row.is_vip === 0)
          .map((row) => [row.id, { id: row.id, username: row.username, displayName: row.display_name }]),
      );
      const by = (row: LedgerRow) => known.get(row.by_id ?? "") ?? null;
      return { rows: rows.map((row): LedgerEntryAnswer => ({ ...entryOf(row), by: by(row) })), next };
    },
  };
}
