import type { MemberPaymentsAnswer } from "@krug/contract/money/payments";
import { type Language, refusalText } from "@krug/contract/refusals";
import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import { PAYMENT_STATUSES, periodOf, whyNotStatus } from "@krug/domain/payment-rules";
import { grantedMonths } from "@krug/domain/prepaid-months";
import type { Role } from "@krug/domain/roles";
import type { MemberRow } from "../../members/members/index.ts";
import type { PaymentParts } from "./parts.ts";
import { lengthsOffered, sumOf } from "./prices.ts";
import * as repository from "./repository.ts";
import { subscriptionEffect } from "./subscription-effect.ts";
import { staffPaymentOf } from "./to-answer.ts";

/** Ten years. */
const MONTHS_SHOWN = 120;
const CLAIMS_SHOWN = 20;

/** What staff see of a member's payments; `role` is the role they are answered as, `asked` a month other than the current one. */
export function makePaymentsOf({ db, clock, clubTime, settings }: PaymentParts) {
  return async (
    member: MemberRow,
    { role, language, asked }: { role: Role; language: Language; asked?: string | undefined },
  ): Promise<MemberPaymentsAnswer> => {
    const now = clock.now().getTime();
    const currentPeriod = periodOf(now, clubTime);
    const period = asked ?? currentPeriod;
    const [club, months, claims, anchorDay] = await Promise.all([
      settings.read(db),
      repository.newest(db, member.id, MONTHS_SHOWN),
      repository.newestClaims(db, member.id, CLAIMS_SHOWN),
      repository.anchorDayOf(db, member),
    ]);
    const before = months.find((row) => row.period === period);
    const waiting = claims.find(({ state }) => state === "waiting");
    const together = await repository.together(db, before);
    const waitingMonths = waiting?.months ?? 1;
    const shown = (at: string, row: typeof before) =>
      staffPaymentOf(member, row, waiting, { period: at, club, calendar: clubTime, now });

    const choice = (to: (typeof PAYMENT_STATUSES)[number]): MemberPaymentsAnswer["choices"][number] => {
      const from = before?.status ?? "pending";
      const isUnlimited = member.is_unlimited === 1;
      const paidMonths = before?.prepayment_months ?? 1;
      const reason = whyNotStatus({ role, from, to, period, currentPeriod, isUnlimited, paidMonths });
      const isPrepaid = to === "not_required" && together.length > 1;
      const why = isPrepaid ? (reason ?? "payment.transition") : reason;
      const effect = subscriptionEffect(
        { member, before: together, to, months: to === "paid" ? waitingMonths : 1, anchorDay, now },
        clubTime,
      );
      return {
        status: to,
        refusal: why === null ? null : { code: why, message: refusalText(why, language, { from, to }) },
        effect:
          effect === null
            ? null
            : {
                kind: effect.kind,
                from: clubTime.write(member.subscription_end),
                until: clubTime.write(effect.subscription.subscription_end),
                months: effect.months,
              },
      };
    };
    return {
      current: shown(period, before),
      choices: PAYMENT_STATUSES.filter(
        (status) => status !== (before?.status ?? "pending") && status !== "pending",
      ).map(choice),
      lengths: [...new Set([...lengthsOffered(club), waitingMonths])]
        .toSorted((a, b) => a - b)
        .map((length) => {
          const sum = sumOf(club, length, waiting);
          const at = { now, subscriptionEnd: member.subscription_end, anchorDay };
          return {
            months: length,
            amount: sum.amount === null ? null : decimalOf(sum.amount),
            currency: sum.currency,
            until: clubTime.write(grantedMonths(length, at, clubTime).at(-1)?.until),
          };
        }),
      history: months.map((row) => shown(row.period, row)),
      claims: claims.map(({ id, state, months: length, claimed_at, decided_at, reason, receipt_id }) => ({
        id,
        state,
        months: length,
        claimedAt: isoOf(claimed_at),
        decidedAt: isoOf(decided_at),
        reason,
        receipt: receipt_id,
      })),
    };
  };
}
