import type { contract } from "@krug/contract/api";
import type { AnswerOf, QueryOf } from "@krug/contract/endpoint";
import type { MonthSummaryAnswer, PaymentAnswer } from "@krug/contract/money/payments";
import { PAYMENT_STATUSES, type PaymentStatus, periodOf } from "@krug/domain/payment-rules";
import { monthsAfter } from "@krug/domain/period";
import type { MemberSearch } from "../../members/members/index.ts";
import type { PaymentParts } from "./parts.ts";
import type { StatusGroup } from "./repository.ts";
import * as repository from "./repository.ts";
import { moneyOf } from "./sums.ts";
import { staffPaymentOf } from "./to-answer.ts";

type Query = QueryOf<typeof contract.payments.history>;
type Page = { rows: AnswerOf<typeof contract.payments.history>; next: string | null; total: number };

/** Every member's status in a month, and the month as a whole. `withVip`: the reader may see VIP members. */
export function makeMonth({ db, clock, clubTime, settings, members }: PaymentParts) {
  const nowMs = () => clock.now().getTime();

  const startOf = (period: string) =>
    clubTime.fromWall(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)) - 1, 1));

  /** Everybody has joined before the end of a future month. */
  const joinedBefore = (period: string): number | undefined => {
    const end = startOf(monthsAfter(period, 1));
    return end > nowMs() ? undefined : end;
  };

  async function page(period: string, { q, status, ...query }: Query, withVip: boolean): Promise<Page> {
    const filter = {
      text: q,
      state: "all" as const,
      withVip,
      joinedBefore: joinedBefore(period),
      ...(await filterBy(period, status)),
    };
    const { rows, next } = await members.search(db, filter, query);
    const isWhole = query.cursor === undefined && query.skip === 0 && next === null;
    const total = isWhole
      ? rows.length
      : (q ?? "") === "" && isRecorded(status)
        ? await countRecorded(period, status, withVip)
        : await members.count(db, filter);
    const ids = rows.map((member) => member.id);
    const [records, claims, club] = await Promise.all([
      repository.ofPeriod(db, period, ids),
      repository.waitingOf(db, ids),
      settings.read(db),
    ]);
    const recordOf = new Map(records.map((row) => [row.member_id, row]));
    const claimOf = new Map(claims.map((claim) => [claim.member_id, claim]));
    // Between months that were taken back and one paid ahead, a member's row does not know of that one (record-months.ts).
    const isMeant = ({ id }: { id: string }) =>
      status !== "pending" || (recordOf.get(id)?.status ?? "pending") === "pending";
    return {
      rows: rows.filter(isMeant).map((member): PaymentAnswer => {
        const row = recordOf.get(member.id);
        return staffPaymentOf(member, row, claimOf.get(member.id), { period, club, calendar: clubTime, now: nowMs() });
      }),
      next,
      total,
    };
  }

  /** The members that a filter selects. */
  async function filterBy(period: string, status: Query["status"]): Promise<Partial<MemberSearch>> {
    if (status === "all") return {};
    if (isRecorded(status)) return { also: await repository.standingSo(db, period, status) };
    const isUnlimited = status === "unlimited";
    // Only the current month can be decided on: each member's row says whether it was.
    return period === periodOf(nowMs(), clubTime)
      ? { isUnlimited, unsettledIn: period }
      : { isUnlimited, also: repository.unrecorded(period) };
  }

  async function countRecorded(period: string, status: Recorded, withVip: boolean): Promise<number> {
    const [all, deleted, vip] = await Promise.all([
      repository.countOf(db, period, status),
      repository.countOf(db, period, status, members.idsOfKind(db, "deleted")),
      withVip ? 0 : repository.countOf(db, period, status, members.idsOfKind(db, "vip")),
    ]);
    return all - deleted - vip;
  }

  /** Subtracts the records of the few members who do not count, so that no member's row has to be read. */
  async function summary(period: string, withVip: boolean): Promise<MonthSummaryAnswer> {
    const of = (kind: "deleted" | "vip" | "unlimited") => repository.groupsOf(db, period, members.idsOfKind(db, kind));
    const [recorded, deleted, vip, unlimited, unlimitedVip] = await Promise.all([
      repository.groupsOf(db, period),
      of("deleted"),
      withVip ? [] : of("vip"),
      of("unlimited"),
      withVip
        ? []
        : repository.groupsOf(
            db,
            period,
            members.idsOfKind(db, "unlimited").where(({ eb }) => eb("id", "in", members.idsOfKind(db, "vip"))),
          ),
    ]);
    const everyone = { text: undefined, state: "all" as const, withVip, joinedBefore: joinedBefore(period) };
    const all = await members.count(db, everyone);
    const allUnlimited = await members.count(db, { ...everyone, isUnlimited: true });

    const span = { name: period, from: startOf(period), until: startOf(monthsAfter(period, 1)) };
    const extended = (deleted: "without" | "only") =>
      members.ledger.extensionsIn(db, [span], { vip: withVip, deleted });
    const count = (groups: readonly StatusGroup[], status: string) =>
      groups.reduce((sum, group) => sum + (group.status === status ? group.members : 0), 0);
    const living = (status: string) => count(recorded, status) - count(deleted, status) - count(vip, status);
    const settled = PAYMENT_STATUSES.filter((status) => status !== "pending");
    const settledUnlimited = settled.reduce(
      (sum, status) => sum + count(unlimited, status) - count(unlimitedVip, status),
      0,
    );
    const [paid, overdue, not_required] = [living("paid"), living("overdue"), living("not_required")];
    const withoutEnd = Math.max(0, allUnlimited - settledUnlimited);
    const currentPeriod = periodOf(nowMs(), clubTime);
    return {
      period,
      currentPeriod,
      lastPeriod: [currentPeriod, (await repository.lastPeriod(db)) ?? ""].sort().at(-1) as string,
      counts: {
        all,
        pending: Math.max(0, all - paid - overdue - not_required - withoutEnd),
        paid,
        overdue,
        not_required,
        unlimited: withoutEnd,
      },
      received: moneyOf([...paidOf(recorded), ...(await extended("without"))], paidOf([...deleted, ...vip])),
      receivedFromDeleted: withVip ? moneyOf([...paidOf(deleted), ...(await extended("only"))]) : [],
    };
  }

  return { page, summary };
}

type Recorded = Exclude<PaymentStatus, "pending">;
const isRecorded = (status: Query["status"]): status is Recorded =>
  status === "paid" || status === "overdue" || status === "not_required";

/** The groups of what was paid. */
const paidOf = (groups: readonly StatusGroup[]) => groups.filter(({ status }) => status === "paid");
