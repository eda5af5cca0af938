import type { contract } from "@krug/contract/api";
import type { AnswerOf, QueryOf } from "@krug/contract/endpoint";
import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import { isSettled, periodOf } from "@krug/domain/payment-rules";
import { pageOf, readCursor, writeCursor } from "../../../platform/pages.ts";
import type { PaymentParts } from "./parts.ts";
import { sumOf } from "./prices.ts";
import * as repository from "./repository.ts";
import { subscriptionEffect } from "./subscription-effect.ts";

type Query = QueryOf<typeof contract.payments.claims>;
type Page = { rows: AnswerOf<typeof contract.payments.claims>; next: string | null; total: number };

/** Members whose claims wait, with what a confirmation would grant. `withVip`: the reader may see VIP members. */
export function makeQueue({ db, clock, clubTime, settings, members }: PaymentParts) {
  return async ({ cursor, limit, sort, q = "" }: Query, withVip: boolean): Promise<Page> => {
    // Deleted members' claims are deleted too.
    const whose = {
      without: withVip ? null : members.idsOfKind(db, "vip"),
      among: q === "" ? null : members.visibleIds(db, withVip, q),
    };
    const byMember = sort === "due" ? members.endOf : null;
    const after = readCursor(cursor, "number");
    const found = await repository.queue(db, whose, { byMember, after, limit: limit + 1 });
    const { rows, next } = pageOf(found, { limit }, (last) => writeCursor(last.sort_key, last.id));
    const now = clock.now().getTime();
    const period = periodOf(now, clubTime);
    const people = new Map(
      (
        await members.byIds(
          db,
          rows.map((claim) => claim.member_id),
        )
      ).map((row) => [row.id, row]),
    );
    const ids = [...people.keys()];
    const records = new Map((await repository.ofPeriod(db, period, ids)).map((row) => [row.member_id, row]));
    const club = await settings.read(db);
    const anchorDays = await repository.anchorDaysOf(db, [...people.values()]);
    return {
      next,
      total: await repository.countWaiting(db, whose),
      rows: rows.flatMap((claim) => {
        const member = people.get(claim.member_id);
        if (member === undefined) return [];
        const before = records.get(member.id);
        const isAhead = claim.months > 1 && isSettled(before?.status ?? "pending");
        const anchorDay = anchorDays.get(member.id) ?? null;
        const effect = subscriptionEffect(
          {
            member,
            before: before === undefined || isAhead ? [] : [before],
            to: "paid",
            months: claim.months,
            anchorDay,
            now,
          },
          clubTime,
        );
        const sum = sumOf(club, claim.months, claim);
        return {
          id: claim.id,
          userId: member.id,
          username: member.username,
          displayName: member.display_name,
          claimedAt: isoOf(claim.claimed_at),
          receipt: claim.receipt_id,
          period,
          months: claim.months,
          status: before?.status ?? "pending",
          amount: sum.amount === null ? null : decimalOf(sum.amount),
          currency: sum.currency,
          isUnlimited: member.is_unlimited === 1,
          subscriptionEnd: clubTime.write(member.subscription_end),
          grantsUntil: clubTime.write(effect?.subscription.subscription_end),
        };
      }),
    };
  };
}
