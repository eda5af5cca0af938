import { randomUUID } from "node:crypto";
import type { PaymentStatusInput } from "@krug/contract/payments";
import {
  dueDay,
  effectOf,
  endWithout,
  type Grant,
  grantedMonth,
  type PaymentStatus,
  periodOf,
  whyNotStatus,
} from "@krug/domain/payment-rules";
import type { Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse, refuseIf } from "../../platform/refusal.ts";
import { type MemberRow, memberStandingChanged } from "../members/index.ts";
import { paymentChanged } from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { PaymentRow } from "./table.ts";

type GrantColumns = Pick<
  PaymentRow,
  "granted_from" | "granted_until" | "granted_end_before" | "granted_source_before" | "granted_anchor_day"
>;
type Subscription = Pick<MemberRow, "subscription_end" | "subscription_source">;

const NO_GRANT: GrantColumns = {
  granted_from: null,
  granted_until: null,
  granted_end_before: null,
  granted_source_before: null,
  granted_anchor_day: null,
};

/** Sets a member's status for the month that runs; his subscription, his peers and his claim follow (decisions, section 5). */
export function makeSetStatus(parts: PaymentParts) {
  const { transact, clock, clubTime, events, settings, audit, members } = parts;

  return (actor: Actor, wish: PaymentStatusInput): Promise<{ member: MemberRow; row: PaymentRow | undefined }> =>
    transact(async (tx) => {
      // Under the member's lock two presses at once grant one month.
      const member = await members.lock(tx, wish.userId);
      if (member === undefined || (member.is_vip === 1 && actor.role !== "admin")) refuse("member.not_found");
      const before = await repository.find(tx, member.id, wish.period);
      const from = before?.status ?? "pending";
      const currentPeriod = periodOf(clock.now().getTime(), clubTime);
      refuseIf(
        whyNotStatus({
          role: actor.role,
          from,
          to: wish.status,
          period: wish.period,
          currentPeriod,
          isUnlimited: member.is_unlimited === 1,
        }),
        { from, to: wish.status },
      );
      const note = wish.note === undefined ? (before?.note ?? null) : wish.note || null;
      if (from === wish.status && note === (before?.note ?? null)) return { member, row: before };

      const effect = await follow(tx, member, before, wish.status);
      const row = await record(tx, { member, before, status: wish.status, period: wish.period, note, effect });
      if (from !== wish.status) await decideClaim(tx, member.id, wish.status);
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "payment.status_set",
        target: member.id,
        before: { period: wish.period, ...traceOf(before), subscription_end: member.subscription_end },
        after: { period: wish.period, ...traceOf(row), ...effect?.subscription },
      });
      await events.record(tx, paymentChanged, { memberId: member.id });
      return { member: { ...member, ...effect?.subscription }, row };
    });

  /** Grants the month or takes it back, where the new status does either. */
  async function follow(tx: Tx, member: MemberRow, before: PaymentRow | undefined, to: PaymentStatus) {
    const granted = before === undefined ? null : grantOf(before);
    const kind = effectOf(to, granted);
    if (kind === null) return null;
    const effect =
      kind === "grant"
        ? await grant(tx, member, to)
        : takeBack(member, granted as Grant, before?.granted_source_before);
    await members.update(tx, member.id, effect.subscription);
    await events.record(tx, memberStandingChanged, { memberId: member.id });
    return effect;
  }

  async function grant(tx: Tx, member: MemberRow, to: PaymentStatus) {
    const { subscription_end: end, subscription_source: source } = member;
    const anchorDay = end === null ? null : await repository.anchorDayAt(tx, member.id, end);
    const month = grantedMonth({ now: clock.now().getTime(), subscriptionEnd: end, anchorDay }, clubTime);
    const columns: GrantColumns = {
      granted_from: month.from,
      granted_until: month.until,
      granted_end_before: month.endBefore,
      granted_source_before: source,
      granted_anchor_day: month.anchorDay,
    };
    const subscription: Subscription = {
      subscription_end: month.until,
      subscription_source: to === "paid" ? "payment" : "staff",
    };
    return { columns, subscription };
  }

  function takeBack(member: MemberRow, granted: Grant, sourceBefore: Subscription["subscription_source"] = null) {
    const end = endWithout(granted, member.subscription_end, clubTime);
    const untouched = member.subscription_end === granted.until;
    const subscription: Subscription = {
      subscription_end: end,
      subscription_source: untouched ? sourceBefore : member.subscription_source,
    };
    return { columns: NO_GRANT, subscription };
  }

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
      effect: { columns: GrantColumns } | null;
    },
  ): Promise<PaymentRow> {
    const now = clock.now().getTime();
    const club = await settings.read(tx);
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
      amount: club.paymentPrice,
      currency: club.paymentCurrency,
      paid_at: status !== "paid" ? null : before?.status === "paid" ? before.paid_at : now,
      note,
      changed_at: now,
    };
    await repository.write(tx, row);
    return row;
  }

  /** What staff decide of the month decides what the member said of it. */
  async function decideClaim(tx: Tx, memberId: string, status: PaymentStatus): Promise<void> {
    const claim = await repository.waitingClaim(tx, memberId);
    if (claim === undefined) return;
    await repository.updateClaim(tx, claim.id, {
      state: status === "overdue" ? "declined" : "confirmed",
      decided_at: clock.now().getTime(),
    });
  }
}

function grantOf(row: PaymentRow): Grant | null {
  const { granted_from, granted_until, granted_end_before, granted_anchor_day } = row;
  if (granted_from === null || granted_until === null || granted_anchor_day === null) return null;
  return { from: granted_from, until: granted_until, endBefore: granted_end_before, anchorDay: granted_anchor_day };
}

/** For the audit. */
const traceOf = (row: PaymentRow | undefined) =>
  row === undefined
    ? { status: "pending" }
    : { status: row.status, amount: row.amount, currency: row.currency, granted_until: row.granted_until };
