import type { ReceivedAnswer, ReceivedInput } from "@krug/contract/money/payments";
import { decimalOf, hundredthsOf } from "@krug/domain/money";
import { isSettled, periodOf } from "@krug/domain/payment-rules";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { PaymentParts } from "./parts.ts";
import { sumOf } from "./prices.ts";
import * as repository from "./repository.ts";
import { makeSetStatus } from "./set-status.ts";
import type { ReceivedRow } from "./table.ts";

/** Records what a provider has received, once for each of its payments (ADR 183). */
export function makeReceivePayment(parts: PaymentParts) {
  const { transact, clock, clubTime, settings, members } = parts;
  const { within: setStatus } = makeSetStatus(parts);

  const answerOf = (row: ReceivedRow, member: MemberRow, isRepeated: boolean): ReceivedAnswer => ({
    userId: member.id,
    username: member.username,
    period: row.period,
    months: row.months,
    amount: decimalOf(row.amount),
    currency: row.currency,
    isRepeated,
    subscriptionEnd: clubTime.write(member.subscription_end),
  });

  const record = async (tx: Tx, actor: Actor, id: string, member: MemberRow, wish: ReceivedInput) => {
    const { months, currency } = wish;
    const amount = hundredthsOf(wish.amount);
    const price = sumOf(await settings.read(tx), months, await repository.waitingClaim(tx, member.id));
    if (price.amount === null) refuse("payment.length_not_offered");
    if (price.amount !== amount || price.currency !== currency)
      refuse("payment.wrong_sum", { expected: `${decimalOf(price.amount)} ${price.currency}` });
    const now = clock.now().getTime();
    const period = periodOf(now, clubTime);
    const isAhead = isSettled((await repository.find(tx, member.id, period))?.status ?? "pending");
    const seen = { subscriptionEnd: clubTime.write(member.subscription_end) };
    const paid = { userId: member.id, period, months, status: "paid" as const };
    const decided = await setStatus(tx, actor, { ...paid, ...(isAhead ? { ahead: true, expected: seen } : {}) });
    const first = decided.rows[0]?.period ?? period;
    const row: ReceivedRow = { id, member_id: member.id, months, amount, currency, period: first, received_at: now };
    await repository.insertReceived(tx, row);
    return answerOf(row, decided.member, false);
  };

  return (actor: Actor, id: string, wish: ReceivedInput): Promise<ReceivedAnswer> =>
    transact(async (tx) => {
      // Of two calls at once the second waits, and finds what the first has recorded.
      await lockPlace(tx, `received-payment:${id}`);
      const found = (await members.findByIdOrUsername(tx, wish.user)) ?? refuse("member.not_found");
      const member = (await members.lock(tx, found.id)) ?? refuse("member.not_found");
      if (isHidden(actor, member)) refuse("member.not_found");
      const earlier = await repository.findReceived(tx, id);
      if (earlier === undefined) return record(tx, actor, id, member, wish);
      const isSame =
        earlier.member_id === member.id &&
        earlier.months === wish.months &&
        earlier.amount === hundredthsOf(wish.amount) &&
        earlier.currency === wish.currency;
      if (!isSame) refuse("payment.id_used", { recorded: `${decimalOf(earlier.amount)} ${earlier.currency}` });
      return answerOf(earlier, member, true);
    });
}
