import { randomUUID } from "node:crypto";
import type { PaymentStatusInput } from "@krug/contract/money/payments";
import {
  dueDay,
  newsOfStatus,
  type PaymentNews,
  type PaymentStatus,
  periodOf,
  whyNotStatus,
} from "@krug/domain/payment-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import { type MemberRow, subscriptionExtended } from "../../members/members/index.ts";
import { claimChanged, paymentChanged, paymentOverdue, paymentRecorded, paymentTakenBack } from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { NO_GRANT, type SubscriptionEffect, subscriptionEffect } from "./subscription-effect.ts";
import type { PaymentRow } from "./table.ts";

interface MonthDecided {
  memberId: string;
  period: string;
  /** The subscription's current end, ms. */
  until: number | null;
}

/** Sets a member's status for the current month; their subscription, peers and claim follow (decisions, section 5). */
export function makeSetStatus(parts: PaymentParts) {
  const { transact, clock, clubTime, events, settings, audit, members } = parts;

  const tellOf: Record<PaymentNews, (tx: Tx, of: MonthDecided) => Promise<void>> = {
    recorded: (tx, of) => events.record(tx, paymentRecorded, of),
    extended: async (tx, { memberId, until }) => {
      if (until !== null) await events.record(tx, subscriptionExtended, { memberId, until });
    },
    // A past end is not one that the member still has.
    taken_back: (tx, { until, ...of }) =>
      events.record(tx, paymentTakenBack, { ...of, until: (until ?? 0) > clock.now().getTime() ? until : null }),
  };

  /** `claimId`: only as the answer to this claim, which must still wait. */
  return (
    actor: Actor,
    wish: PaymentStatusInput,
    claimId?: string,
  ): Promise<{ member: MemberRow; row: PaymentRow | undefined }> =>
    transact(async (tx) => {
      // Under the member's lock two simultaneous presses grant one month.
      const member = await members.lock(tx, wish.userId);
      if (member === undefined || isHidden(actor, member)) refuse("member.not_found");
      if (claimId !== undefined && (await repository.waitingClaim(tx, member.id))?.id !== claimId)
        refuse("payment.claim_decided");
      const before = await repository.find(tx, member.id, wish.period);
      const from = before?.status ?? "pending";
      const note = wish.note === undefined ? (before?.note ?? null) : wish.note || null;
      const isDone = from === wish.status && note === (before?.note ?? null);
      if (!isDone) refuseUnseen(member, from, wish);
      const now = clock.now().getTime();
      refuseIf(
        whyNotStatus({
          role: actor.role,
          from,
          to: wish.status,
          period: wish.period,
          currentPeriod: periodOf(now, clubTime),
          isUnlimited: member.is_unlimited === 1,
        }),
        { from, to: wish.status },
      );
      if (isDone) return { member, row: before };

      const anchorDay = await repository.anchorDayOf(tx, member);
      const effect = subscriptionEffect({ member, before, to: wish.status, anchorDay, now }, clubTime);
      if (effect !== null) await members.setSubscription(tx, member.id, effect.subscription);
      if (wish.status === "paid" && from !== "paid") await members.quotas.restart(tx, member);
      if (wish.status !== "pending") await members.setSettledPeriod(tx, member.id, wish.period);
      const row = await record(tx, { member, before, status: wish.status, period: wish.period, note, effect });
      if (from !== wish.status) await decideClaim(tx, actor, member.id, wish.status);
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "payment.status_set",
        target: member.id,
        before: {
          period: wish.period,
          ...traceOf(before),
          ...(effect && { subscription_end: member.subscription_end }),
        },
        after: { period: wish.period, ...traceOf(row), ...effect?.subscription },
      });
      await events.record(tx, paymentChanged, { memberId: member.id });
      if (from !== "overdue" && wish.status === "overdue")
        await events.record(tx, paymentOverdue, { memberId: member.id, period: wish.period });
      const until = effect === null ? member.subscription_end : effect.subscription.subscription_end;
      const news = newsOfStatus({ from, to: wish.status, effect: effect?.kind ?? null });
      if (news !== null) await tellOf[news](tx, { memberId: member.id, period: wish.period, until });
      return { member: { ...member, ...effect?.subscription }, row };
    });

  async function record(
    tx: Tx,
    {
      member,
      before,
      status,
      period,
      note,
      effect,
    }: {
      member: MemberRow;
      before: PaymentRow | undefined;
      status: PaymentStatus;
      period: string;
      note: string | null;
      effect: SubscriptionEffect | null;
    },
  ): Promise<PaymentRow> {
    const now = clock.now().getTime();
    const club = await settings.read(tx);
    // A note on a paid month does not change what was paid.
    const priced = before?.status === status ? before : { amount: club.paymentPrice, currency: club.paymentCurrency };
    const row: PaymentRow = {
      ...NO_GRANT,
      id: randomUUID(),
      member_id: member.id,
      period,
      due_day: dueDay(period, member.subscription_end, clubTime),
      created_at: now,
      ...before,
      ...effect?.columns,
      status,
      amount: priced.amount,
      currency: priced.currency,
      paid_at: status !== "paid" ? null : before?.status === "paid" ? before.paid_at : now,
      note,
      changed_at: now,
    };
    await repository.write(tx, row);
    return row;
  }

  /** Staff's decision on the month also decides the member's claim. */
  async function decideClaim(tx: Tx, actor: Actor, memberId: string, status: PaymentStatus): Promise<void> {
    const claim = await repository.waitingClaim(tx, memberId);
    if (claim === undefined) return;
    await repository.updateClaim(tx, claim.id, {
      state: status === "overdue" ? "declined" : "confirmed",
      decided_at: clock.now().getTime(),
      decided_by: actor.memberId,
    });
    await events.record(tx, claimChanged, { memberId, claimId: claim.id, isWaiting: false });
  }
}

/** Refuses if somebody else has set the month or moved the subscription (`expected` says what the editor saw). */
function refuseUnseen(member: MemberRow, status: PaymentStatus, { expected }: PaymentStatusInput): void {
  if (expected === undefined) return;
  const seenEnd = expected.subscriptionEnd;
  const endIsSeen =
    seenEnd === undefined || (seenEnd === null ? null : Date.parse(seenEnd)) === member.subscription_end;
  if ((expected.status ?? status) !== status || !endIsSeen) refuse("payment.changed_meanwhile");
}

/** For the audit. */
const traceOf = (row: PaymentRow | undefined) =>
  row === undefined
    ? { status: "pending" }
    : {
        status: row.status,
        amount: row.amount,
        currency: row.currency,
        granted_until: row.granted_until,
        ...(row.note === null ? {} : { note: row.note }),
      };
