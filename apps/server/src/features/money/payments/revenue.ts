import type { contract } from "@krug/contract/api";
import type { AnswerOf } from "@krug/contract/endpoint";
import { REVENUE_MONTHS } from "@krug/contract/money/payments";
import { periodOf } from "@krug/domain/payment-rules";
import { monthsAfter } from "@krug/domain/period";
import { type RawBuilder, sql } from "kysely";
import type { PaymentParts } from "./parts.ts";
import { moneyOf } from "./sums.ts";

type Months = AnswerOf<typeof contract.payments.revenue>;

/** The club's payments month by month, and who paid again. `withVip`: the reader may see VIP members. */
export function makeRevenue(parts: PaymentParts) {
  const { db, clock, clubTime, members } = parts;
  return async (withVip: boolean): Promise<Months> => {
    const now = clock.now().getTime();
    const periods = periodsUpTo(periodOf(now, clubTime), REVENUE_MONTHS);
    const [first = ""] = periods;
    const seen = seenBy(withVip, members, db);

    const { rows: paid } = await sql<{
      period: string;
      currency: string;
      amount: number | string | null;
      payers: number | string;
      repeat: number | string | null;
    }>`
      select period, currency, sum(amount) as amount, count(*) as payers,
        sum(case when exists (
          select 1 from payments as earlier
          where earlier.member_id = payments.member_id and earlier.status = 'paid' and earlier.period < payments.period
        ) then 1 else 0 end) as repeat
      from payments where status = 'paid' and period >= ${first} and period <= ${periods.at(-1)} and ${seen}
      group by period, currency order by period, currency`.execute(db);

    const { rows: free } = await sql<{ period: string; months: number | string }>`
      select period, count(*) as months from payments
      where status = 'not_required' and period >= ${first} and period <= ${periods.at(-1)} and ${seen} group by period`.execute(
      db,
    );

    const { cameIn, extended } = await readCameIn(parts, periods, withVip);

    // Grants end at the end of a day, so this answers at most one row a day.
    const { rows: ends } = await sql<{ until: number | string; ended: number | string; again: number | string | null }>`
      select granted_until as until, count(*) as ended,
        sum(case when exists (
          select 1 from payments as later
          where later.member_id = payments.member_id and later.status = 'paid' and later.period > payments.period
        ) then 1 else 0 end) as again
      from payments
      where status = 'paid' and granted_until is not null and granted_until >= ${startOf(first, clubTime)} and granted_until <= ${now} and ${seen}
      group by granted_until`.execute(db);

    return periods.map((period) => {
      const sums = paid.filter((row) => row.period === period);
      const extensions = extended.filter(({ name }) => name === period);
      const ended = ends.filter((row) => periodOf(Number(row.until), clubTime) === period);
      const repeatPayers = total(sums.map(({ repeat }) => repeat));
      return {
        period,
        received: moneyOf([...sums, ...extensions]),
        cameIn: moneyOf([...cameIn.filter((row) => row.period === period), ...extensions]),
        gifts: total([
          ...extensions.map(({ gifts }) => gifts),
          ...free.filter((row) => row.period === period).map(({ months }) => months),
        ]),
        newPayers: total(sums.map(({ payers }) => payers)) - repeatPayers,
        repeatPayers,
        ended: total(ended.map((row) => row.ended)),
        paidAgain: total(ended.map((row) => row.again)),
      };
    });
  };
}

/** What was paid in each of the last `count` months, for whichever months; the oldest first. */
export async function cameInLately(parts: PaymentParts, count: number, withVip: boolean) {
  const periods = periodsUpTo(periodOf(parts.clock.now().getTime(), parts.clubTime), count);
  const { cameIn, extended } = await readCameIn(parts, periods, withVip);
  return periods.map((period) => ({
    period,
    cameIn: moneyOf([
      ...cameIn.filter((row) => row.period === period),
      ...extended.filter(({ name }) => name === period),
    ]),
  }));
}

/** The money of each month, from payments and from staff's extensions. */
async function readCameIn({ db, clubTime, members }: PaymentParts, periods: readonly string[], withVip: boolean) {
  const starts = [...periods, monthsAfter(periods.at(-1) ?? "", 1)].map((period) => startOf(period, clubTime));
  const spans = periods.map(
    (period, place) => sql`(${period}, cast(${starts[place]} as bigint), cast(${starts[place + 1]} as bigint))`,
  );
  // A club has few currencies, each found at its place in the index. Grouping by them would sort a row of each payment.
  const { rows: cameIn } = await sql<{ period: string; currency: string; amount: number | string | null }>`
    with recursive months (period, starts, ends) as (values ${sql.join(spans)}), currencies (currency) as (
      select min(currency) from payments where paid_at is not null and currency > ''
      union all select (
        select min(payments.currency) from payments where paid_at is not null and payments.currency > currencies.currency
      ) from currencies where currencies.currency is not null
    )
    select * from (
      select months.period, currencies.currency, (
        select sum(payments.amount) from payments
        where payments.currency = currencies.currency and paid_at is not null
          and payments.paid_at >= months.starts and payments.paid_at < months.ends and ${seenBy(withVip, members, db)}
      ) as amount
      from months cross join currencies
    ) as sums where amount is not null order by period, currency`.execute(db);

  const extended = await members.ledger.extensionsIn(
    db,
    periods.map((name, place) => ({ name, from: starts[place] ?? 0, until: starts[place + 1] ?? 0 })),
    { vip: withVip, deleted: withVip ? "with" : "without" },
  );
  return { cameIn, extended };
}

/** Deleted former VIP members must not show in a difference either, as in a month's summary. */
const seenBy = (withVip: boolean, members: PaymentParts["members"], db: PaymentParts["db"]): RawBuilder<boolean> =>
  withVip
    ? sql<boolean>`1 = 1`
    : sql<boolean>`payments.member_id not in (${members.idsOfKind(db, "vip")})
        and payments.member_id not in (${members.idsOfKind(db, "deleted")})`;

const startOf = (period: string, clubTime: PaymentParts["clubTime"]): number =>
  clubTime.fromWall(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)) - 1, 1));

const total = (numbers: readonly (number | string | null)[]) =>
  numbers.reduce<number>((sum, number) => sum + Number(number ?? 0), 0);

/** The `count` months up to this one, oldest first. */
const periodsUpTo = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => monthsAfter(last, place + 1 - count));
