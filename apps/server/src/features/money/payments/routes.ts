import type { Contract } from "@krug/contract/api";
import type { OwnPaymentsAnswer } from "@krug/contract/money/payments";
import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import { freeOfCharge, periodOf, whyNoClaim } from "@krug/domain/payment-rules";
import { grantedMonths, type PaymentLength } from "@krug/domain/prepaid-months";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden, seesVip } from "../../club/rights/index.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import { type MemberRow, standingOf } from "../../members/members/index.ts";
import { isSetUp, makeChangePaymentSettings } from "./change-settings.ts";
import { makeDeclineClaim } from "./decline-claim.ts";
import { makeLedger } from "./ledger.ts";
import { makeMonth } from "./month.ts";
import { makePaymentsOf } from "./of-member.ts";
import { makeOwnClaim } from "./own-claim.ts";
import type { PaymentParts } from "./parts.ts";
import { lengthsOffered, priceOf } from "./prices.ts";
import { makeQueue } from "./queue.ts";
import { makeReceivePayment } from "./receive-payment.ts";
import * as repository from "./repository.ts";
import { makeRevenue } from "./revenue.ts";
import { makeSetStatus } from "./set-status.ts";
import { makeStaffClaims, receiptOf } from "./staff-claims.ts";
import type { ClaimRow } from "./table.ts";
import { isShown, paymentOf, staffPaymentOf } from "./to-answer.ts";
import { makeUndoPayments } from "./undo.ts";

/** Two years of a member's own months. */
const OWN_MONTHS = 24;

export function makePaymentRoutes(parts: PaymentParts): Handlers<Contract["payments"]> {
  const { db, clock, clubTime, settings, members } = parts;
  const ownClaim = makeOwnClaim(parts);
  const setStatus = makeSetStatus(parts);
  const undoPayments = makeUndoPayments(parts);
  const receivePayment = makeReceivePayment(parts);
  const declineClaim = makeDeclineClaim(parts);
  const month = makeMonth(parts);
  const paymentsOf = makePaymentsOf(parts);
  const ledger = makeLedger(parts);
  const queue = makeQueue(parts);
  const staffClaims = makeStaffClaims(parts);
  const revenue = makeRevenue(parts);
  const changeSettings = makeChangePaymentSettings(parts);
  const nowMs = () => clock.now().getTime();

  const shownClaim = async (memberId: string): Promise<ClaimRow | undefined> => {
    const [claim] = await repository.newestClaims(db, memberId, 1);
    return claim !== undefined && isShown(claim, nowMs()) ? claim : undefined;
  };

  const own = async (actor: Actor): Promise<OwnPaymentsAnswer> => {
    const member = (await members.find(db, actor.memberId)) ?? refuse("auth.required");
    const now = nowMs();
    const club = await settings.read(db);
    const period = periodOf(now, clubTime);
    const months = await repository.newest(db, member.id, OWN_MONTHS);
    const current = paymentOf(
      member,
      period,
      months.find((row) => row.period === period),
      club,
      clubTime,
    );
    const free = freeOfCharge(standingOf(member, club), now);
    const claimable = { free, status: current.status, isSetUp: isSetUp(club) };
    const canClaim = whyNoClaim(claimable) === null;
    const claim = await shownClaim(member.id);
    return {
      price:
        club.paymentPrice === null ? null : { amount: decimalOf(club.paymentPrice), currency: club.paymentCurrency },
      offers: whyNoClaim({ ...claimable, months: 3 }) === null ? await offersTo(member, club, now) : [],
      details: club.paymentDetails || null,
      free,
      current,
      claim: claim === undefined ? null : ownClaimOf(claim),
      canClaim,
      wouldExtendTo: canClaim ? clubTime.write(await endAfterPaying(member, now)) : null,
      history: months.map((row) => paymentOf(member, row.period, row, club, clubTime)),
    };
  };

  const endAfterPaying = async (member: MemberRow, now: number, months: PaymentLength = 1) => {
    const anchorDay = await repository.anchorDayOf(db, member);
    const standing = { now, subscriptionEnd: member.subscription_end, anchorDay };
    return grantedMonths(months, standing, clubTime).at(-1)?.until ?? null;
  };

  const offersTo = (member: MemberRow, club: ClubSettings, now: number) =>
    Promise.all(
      lengthsOffered(club).flatMap((months) => {
        const amount = priceOf(club, months);
        return months === 1 || amount === null
          ? []
          : endAfterPaying(member, now, months).then((end) => ({
              months,
              amount: decimalOf(amount),
              currency: club.paymentCurrency,
              extendsTo: clubTime.write(end),
            }));
      }),
    );

  const shownSettings = async () => {
    const club = await settings.read(db);
    const price = (months: PaymentLength) => {
      const amount = priceOf(club, months);
      return amount === null ? null : decimalOf(amount);
    };
    return {
      price: price(1),
      price3: price(3),
      price6: price(6),
      price12: price(12),
      currency: club.paymentCurrency,
      details: club.paymentDetails,
    };
  };

  const seenByStaff = async (actor: Actor, idOrUsername: string, as?: "moderator") => {
    const member = await members.findByIdOrUsername(db, idOrUsername);
    return member === undefined || isHidden(actor, member, as) ? refuse("member.not_found") : member;
  };

  return {
    own: ({ actor }) => own(actor),

    async ownLedger({ actor, query, reply }) {
      const { rows, next } = await ledger.own(actor.memberId, query);
      tellPage(reply, { next });
      return rows;
    },

    async claim({ actor, body }) {
      await ownClaim.make(actor, body);
      return own(actor);
    },

    withdraw: async ({ actor }) => void (await ownClaim.withdraw(actor)),

    ownReceipt: async ({ actor }) => receiptOf(db, await shownClaim(actor.memberId)),

    async history({ actor, params, query, reply }) {
      const { rows, next, total } = await month.page(params.period, query, seesVip(actor, query.as));
      tellPage(reply, { next, total });
      return rows;
    },

    summary: ({ actor, params, query }) => month.summary(params.period, seesVip(actor, query.as)),

    revenue: ({ actor, query }) => revenue(seesVip(actor, query.as)),

    async ofMember({ actor, params, query, language }) {
      const member = await seenByStaff(actor, params.id, query.as);
      return paymentsOf(member, { role: query.as ?? actor.role, language, asked: query.period });
    },

    async ledger({ actor, params, query, reply }) {
      const member = await seenByStaff(actor, params.id, query.as);
      const { rows, next } = await ledger.forStaff(member.id, query, seesVip(actor, query.as));
      tellPage(reply, { next });
      return rows;
    },

    async setStatus({ actor, body }) {
      const { member, row } = await setStatus(actor, body);
      const claim = await repository.waitingClaim(db, member.id);
      const at = { period: body.period, club: await settings.read(db), calendar: clubTime, now: nowMs() };
      return staffPaymentOf(member, row, claim, at);
    },

    receive: ({ actor, params, body }) => receivePayment(actor, params.id, body),

    undo: ({ actor, body, language }) => undoPayments(actor, body, language),

    async claims({ actor, query, reply }) {
      const { rows, next, total } = await queue(query, seesVip(actor, query.as));
      tellPage(reply, { next, total });
      return rows;
    },

    receipt: ({ actor, params }) => staffClaims.receipt(actor, params.id),

    decline: ({ actor, params, body }) => declineClaim(actor, params.id, body.reason ?? null).then(() => undefined),

    settings: shownSettings,

    async changeSettings({ actor, body }) {
      await changeSettings(actor, body);
      return shownSettings();
    },
  };
}

const ownClaimOf = (claim: ClaimRow): NonNullable<OwnPaymentsAnswer["claim"]> => ({
  id: claim.id,
  state: claim.state === "waiting" ? "waiting" : "declined",
  months: claim.months,
  claimedAt: isoOf(claim.claimed_at),
  decidedAt: isoOf(claim.decided_at),
  reason: claim.reason,
  receipt: claim.receipt_id,
});
