import type { PaymentStatusInput } from "@krug/contract/money/payments";
import {
  isSettled,
  newsOfStatus,
  type PaymentNews,
  type PaymentStatus,
  periodOf,
  whyNotStatus,
} from "@krug/domain/payment-rules";
import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import { type MemberRow, subscriptionExtended } from "../../members/members/index.ts";
import {
  claimChanged,
  type MonthsDecided,
  paymentChanged,
  paymentOverdue,
  paymentRecorded,
  paymentTakenBack,
} from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import { makeRecordMonths } from "./record-months.ts";
import { keepReplaced } from "./replaced.ts";
import * as repository from "./repository.ts";
import { subscriptionEffect } from "./subscription-effect.ts";
import type { ClaimRow, PaymentRow } from "./table.ts";

export interface StatusSet {
  member: MemberRow;
  row: PaymentRow | undefined;
  /** All records that it was about, by month. */
  rows: PaymentRow[];
}

/** Sets a member's status for the current month; their subscription, peers and claim follow (decisions, section 5). */
export function makeSetStatus(parts: PaymentParts) {
  const { transact, clock, clubTime, events, audit, members } = parts;
  const recordMonths = makeRecordMonths(parts);

  const tellOf: Record<PaymentNews, (tx: Tx, of: MonthsDecided) => Promise<void>> = {
    recorded: (tx, of) => events.record(tx, paymentRecorded, of),
    extended: async (tx, { memberId, until }) => {
      if (until !== null) await events.record(tx, subscriptionExtended, { memberId, until });
    },
    // A past end is not one that the member still has.
    taken_back: (tx, { until, ...of }) =>
      events.record(tx, paymentTakenBack, { ...of, until: (until ?? 0) > clock.now().getTime() ? until : null }),
  };

  /** `claimId`: only as the answer to this claim, which must still wait. */
  const setStatus = (actor: Actor, wish: PaymentStatusInput, claimId?: string): Promise<StatusSet> =>
    transact((tx) => within(tx, actor, wish, claimId));
  return Object.assign(setStatus, { within });

  async function within(tx: Tx, actor: Actor, wish: PaymentStatusInput, claimId?: string): Promise<StatusSet> {
    // Under the member's lock two simultaneous presses grant one month.
    const member = await members.lock(tx, wish.userId);
    if (member === undefined || isHidden(actor, member)) refuse("member.not_found");
    const claim = await repository.waitingClaim(tx, member.id);
    if (claimId !== undefined && claim?.id !== claimId) refuse("payment.claim_decided");
    const row = await repository.find(tx, member.id, wish.period);
    const from = row?.status ?? "pending";
    const isClaimedAhead = (wish.months ?? claim?.months ?? 1) > 1 && claim !== undefined;
    const isAhead = wish.status === "paid" && isSettled(from) && (wish.ahead === true || isClaimedAhead);
    // What was seen of the end keeps a repeated call from adding the months twice.
    if (isAhead && !isClaimedAhead && wish.expected?.subscriptionEnd === undefined) refuse("payment.changed_meanwhile");
    const note = wish.note === undefined ? (isAhead ? null : (row?.note ?? null)) : wish.note || null;
    const isDone = !isAhead && from === wish.status && note === (row?.note ?? null);
    if (!isDone) refuseUnseen(member, from, claim, wish);
    const now = clock.now().getTime();
    const currentPeriod = periodOf(now, clubTime);
    const paidMonths = row?.prepayment_months ?? 1;
    refuseIf(
      whyNotStatus({
        role: actor.role,
        from: isAhead ? "pending" : from,
        to: wish.status,
        period: wish.period,
        currentPeriod,
        isUnlimited: member.is_unlimited === 1,
        paidMonths,
      }),
      { from, to: wish.status },
    );
    const isSame = !isAhead && from === wish.status;
    if (isSame && wish.status === "paid" && wish.months !== undefined && wish.months !== paidMonths)
      refuse("payment.already_settled");
    // One month of several was paid with the others.
    if (wish.status === "not_required" && !isSame && paidMonths > 1)
      refuse("payment.transition", { from, to: wish.status });
    if (isDone) return { member, row, rows: row === undefined ? [] : [row] };

    const together = isSame && row !== undefined ? [row] : await repository.together(tx, row);
    const before = isAhead ? [] : together;
    const months = wish.status === "paid" && !isSame ? (wish.months ?? claim?.months ?? 1) : 1;
    if (isAhead && months === 1) refuse("payment.already_settled");
    const anchorDay = await repository.anchorDayOf(tx, member);
    const effect = subscriptionEffect({ member, before, to: wish.status, months, anchorDay, now }, clubTime);
    const restarted =
      wish.status === "paid" && !isSame && !isAhead ? await members.quotas.restart(tx, member) : { used: 0 };
    const { status, period } = wish;
    const decision = { member, before, status, period, currentPeriod, isAhead, months, note, claim, effect };
    const { rows, known } = await recordMonths(tx, decision);
    if (!isSame)
      await members.setSubscription(tx, member, effect?.subscription ?? member, {
        ...ledgerReason(status, before, rows),
        byId: actor.memberId,
        at: now,
        actId: wish.act,
      });
    if (status === "paid" && !isSame && wish.act !== undefined)
      await keepReplaced(tx, wish.act, member, { claim, rows, known, quotaUsed: restarted.used });
    // A claim that came after the month was settled is for the months ahead.
    if (!isSame && (isAhead || !isSettled(from))) await decideClaim(tx, actor, claim, wish.status);
    await audit.record(tx, actor.memberId, "payment.status_set", {
      target: member.id,
      before: {
        period: wish.period,
        ...traceOf(before),
        ...(effect && { subscription_end: member.subscription_end }),
      },
      after: { period: isAhead ? rows[0]?.period : wish.period, ...traceOf(rows), ...effect?.subscription },
    });
    await events.record(tx, paymentChanged, { memberId: member.id });
    if (from !== "overdue" && rows.some((each) => each.status === "overdue"))
      await events.record(tx, paymentOverdue, { memberId: member.id, period: wish.period });
    const until = effect === null ? member.subscription_end : effect.subscription.subscription_end;
    const news = newsOfStatus({ from: isAhead ? "pending" : from, to: wish.status, effect: effect?.kind ?? null });
    const about = wish.status === "overdue" ? before : rows;
    const first = about[0]?.period ?? period;
    const undoing = wish.act === undefined ? {} : { undoing: { actId: wish.act, until: now + UNDO_UNTIL_MS } };
    if (news !== null)
      await tellOf[news](tx, {
        memberId: member.id,
        period: first,
        months: Math.max(1, about.length),
        until,
        ...undoing,
      });
    return {
      member: { ...member, ...effect?.subscription },
      // Months to come have no record once they are not paid.
      row: rows.find((each) => each.period === period) ?? (status === "overdue" ? undefined : row),
      rows,
    };
  }

  /** Staff's decision on the month also decides the member's claim. */
  async function decideClaim(tx: Tx, actor: Actor, claim: ClaimRow | undefined, status: PaymentStatus): Promise<void> {
    if (claim === undefined) return;
    await repository.updateClaim(tx, claim.id, {
      state: status === "overdue" ? "declined" : "confirmed",
      decided_at: clock.now().getTime(),
      decided_by: actor.memberId,
    });
    await events.record(tx, claimChanged, { memberId: claim.member_id, claimId: claim.id, isWaiting: false });
  }
}

/** Refuses if somebody else has set the month, moved the subscription, or decided the claim (`expected` says what the editor saw). */
function refuseUnseen(
  member: MemberRow,
  status: PaymentStatus,
  claim: ClaimRow | undefined,
  { expected }: PaymentStatusInput,
): void {
  if (expected === undefined) return;
  const seenEnd = expected.subscriptionEnd;
  const endIsSeen =
    seenEnd === undefined || (seenEnd === null ? null : Date.parse(seenEnd)) === member.subscription_end;
  const claimIsSeen = expected.claimId === undefined || expected.claimId === (claim?.id ?? null);
  if ((expected.status ?? status) !== status || !endIsSeen || !claimIsSeen) refuse("payment.changed_meanwhile");
}

/** For the member's ledger: the months, and the sum that came with them or does not count any more. */
function ledgerReason(status: PaymentStatus, before: readonly PaymentRow[], after: readonly PaymentRow[]) {
  const isPaid = status === "paid";
  const about = isPaid || before.length === 0 ? after : before;
  const gone = before[0]?.status === "paid" ? sumOf(before) : null;
  const amount = isPaid ? sumOf(after) : gone === null ? null : -gone;
  return {
    kind: isPaid ? ("payment" as const) : status === "overdue" ? ("taken_back" as const) : ("free_month" as const),
    period: about[0]?.period ?? null,
    months: about.length,
    amount,
    currency: amount === null ? null : (about[0]?.currency ?? null),
  };
}

const sumOf = (rows: readonly PaymentRow[]) =>
  rows.reduce<number | null>((sum, { amount }) => (amount === null ? sum : (sum ?? 0) + amount), null);

/** For the audit: a payment's records as one. */
export function traceOf(rows: readonly PaymentRow[]) {
  const [first] = rows;
  if (first === undefined) return { status: "pending" };
  const note = rows.find((row) => row.note !== null)?.note;
  return {
    status: first.status,
    amount: sumOf(rows),
    currency: first.currency,
    granted_until: rows.at(-1)?.granted_until ?? null,
    ...(rows.length > 1 ? { months: rows.length } : {}),
    ...(note == null ? {} : { note }),
  };
}
