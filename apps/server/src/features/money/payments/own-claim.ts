import { randomUUID } from "node:crypto";
import { freeOfCharge, periodOf, whyNoClaim } from "@krug/domain/payment-rules";
import type { PaymentLength } from "@krug/domain/prepaid-months";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Picture } from "../../../platform/pictures.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
import { standingOf } from "../../members/members/index.ts";
import { isSetUp } from "./change-settings.ts";
import { claimChanged, paymentChanged, paymentClaimed } from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import { lengthsOffered, priceOf } from "./prices.ts";
import * as repository from "./repository.ts";

/** 'I have paid': one entry in staff's queue, with or without a picture of the receipt (decisions, section 5). */
export function makeOwnClaim(parts: PaymentParts) {
  const { transact, clock, clubTime, events, settings, members, pictures } = parts;

  const shownSum = (club: ClubSettings, months: PaymentLength) => {
    const amount = priceOf(club, months);
    return { amount, currency: amount === null ? null : club.paymentCurrency };
  };

  const keep = async (tx: Tx, picture: Picture): Promise<string> => {
    const id = randomUUID();
    await repository.insertReceipt(tx, { id, media: picture.media, picture: picture.bytes });
    return id;
  };

  return {
    /** While a claim waits: only replaces its receipt, and without one changes nothing. */
    async make(
      actor: Actor,
      { receipt, months }: { receipt?: string | undefined; months: PaymentLength },
    ): Promise<void> {
      const sent = receipt === undefined ? null : await pictures.sent(actor.memberId, receipt);
      if (receipt !== undefined && sent === null) refuse("payment.receipt_invalid", { field: "receipt" });
      return transact(async (tx) => {
        // The lock keeps two tabs from making two claims.
        const member = (await members.lock(tx, actor.memberId)) ?? refuse("auth.required");
        const now = clock.now().getTime();
        const club = await settings.read(tx);
        const period = periodOf(now, clubTime);
        const payment = await repository.find(tx, member.id, period);
        refuseIf(
          whyNoClaim({
            free: freeOfCharge(standingOf(member, club), now),
            status: payment?.status ?? "pending",
            months,
            isSetUp: isSetUp(club),
            isOffered: lengthsOffered(club).includes(months),
          }),
        );
        const claim = await repository.waitingClaim(tx, member.id);
        if (claim !== undefined && sent === null) return;
        const [picture] = await pictures.take(tx, member.id, sent === null ? [] : [sent]);
        const receiptId = picture === undefined ? null : await keep(tx, picture);
        if (claim === undefined) {
          const id = randomUUID();
          await repository.insertClaim(tx, {
            id,
            member_id: member.id,
            state: "waiting",
            claimed_at: now,
            decided_at: null,
            decided_by: null,
            reason: null,
            receipt_id: receiptId,
            months,
            ...shownSum(club, months),
          });
          const hasReceipt = receiptId !== null;
          await events.record(tx, paymentClaimed, { memberId: member.id, period, months, claimId: id, hasReceipt });
        } else {
          await repository.updateClaim(tx, claim.id, { receipt_id: receiptId });
          if (claim.receipt_id !== null) await repository.deleteReceipt(tx, claim.receipt_id);
          await events.record(tx, claimChanged, { memberId: member.id, claimId: claim.id, isWaiting: true });
        }
        await events.record(tx, paymentChanged, { memberId: member.id });
      });
    },

    /** Does nothing without a waiting claim; that is not an error. */
    withdraw: (actor: Actor): Promise<void> =>
      transact(async (tx) => {
        await members.lock(tx, actor.memberId);
        const claim = await repository.waitingClaim(tx, actor.memberId);
        if (claim === undefined) return;
        await repository.deleteClaim(tx, claim);
        await events.record(tx, paymentChanged, { memberId: actor.memberId });
        await events.record(tx, claimChanged, { memberId: actor.memberId, claimId: claim.id, isWaiting: false });
      }),
  };
}
