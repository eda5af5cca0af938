import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import { claimChanged, paymentChanged } from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Staff did not find the payment: the member learns why and can claim again. The month does not change. */
export function makeDeclineClaim({ transact, clock, events, audit, members }: PaymentParts) {
  return (actor: Actor, id: string, reason: string | null): Promise<void> =>
    transact(async (tx) => {
      const found = (await repository.findClaim(tx, id)) ?? refuse("payment.claim_not_found");
      const member = await members.lock(tx, found.member_id);
      if (member === undefined || isHidden(actor, member)) refuse("payment.claim_not_found");
      // Checked again, now that nobody else can decide.
      const claim = (await repository.findClaim(tx, id)) ?? refuse("payment.claim_not_found");
      if (claim.state !== "waiting") refuse("payment.claim_decided");
      await repository.updateClaim(tx, id, {
        state: "declined",
        decided_at: clock.now().getTime(),
        decided_by: actor.memberId,
        reason,
      });
      await audit.record(tx, actor.memberId, "payment.claim_declined", {
        target: member.id,
        after: { claim: id, reason },
      });
      await events.record(tx, paymentChanged, { memberId: member.id });
      await events.record(tx, claimChanged, { memberId: member.id, claimId: id, isWaiting: false });
    });
}
