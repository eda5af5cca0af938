import { isDeepStrictEqual } from "node:util";
import type { Language } from "@krug/contract/refusals";
import type { UndoneAnswer, UndoWishInput } from "@krug/contract/undo";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Undoable } from "../../members/members/index.ts";
import { claimChanged, paymentChanged } from "./events.ts";
import type { PaymentParts } from "./parts.ts";
import type { Replaced } from "./replaced.ts";
import * as repository from "./repository.ts";
import { traceOf } from "./set-status.ts";

/** A confirmed payment, as it is now. */
type Confirmed = Undoable & { replaced: Replaced };

/** Takes back confirmations of one press: months, subscriptions, sums, quotas and claims are as before (ADR 182). */
export function makeUndoPayments({ transact, events, audit, members }: PaymentParts) {
  /** Those whose months and claims are still as the act left them. */
  const untouched = async (tx: Tx, actId: string, open: readonly Undoable[]): Promise<Confirmed[]> => {
    const ids = open.map(({ member }) => member.id);
    const replacedOf = new Map(
      [...(await repository.replacedBy(tx, actId, ids))].map(([id, text]) => [id, JSON.parse(text) as Replaced]),
    );
    const all = [...replacedOf.values()];
    const rowOf = await repository.byIds(
      tx,
      all.flatMap(({ rows }) => rows.map(({ now }) => now.id)),
    );
    const claimOf = await repository.claimsByIds(
      tx,
      all.flatMap(({ claimId }) => claimId ?? []),
    );
    const claimedAgain = new Set((await repository.waitingOf(tx, ids)).map((claim) => claim.member_id));
    return open.flatMap((each) => {
      const replaced = replacedOf.get(each.member.id);
      if (replaced === undefined) return [];
      const areSame = replaced.rows.every(({ now }) => isDeepStrictEqual(rowOf.get(now.id), now));
      const { claimId } = replaced;
      const canReopen =
        claimId === null || (claimOf.get(claimId)?.state === "confirmed" && !claimedAgain.has(each.member.id));
      return canReopen && areSame ? [{ ...each, replaced }] : [];
    });
  };

  const bringBack = async (tx: Tx, actor: Actor, confirmed: readonly Confirmed[]): Promise<void> => {
    const months = confirmed.flatMap(({ replaced }) => replaced.rows);
    await repository.remove(
      tx,
      months.flatMap(({ now, before }) => (before === null ? [now.id] : [])),
    );
    await repository.write(
      tx,
      months.flatMap(({ before }) => before ?? []),
    );
    await members.undo.moveBack(tx, actor, confirmed);
    await members.setSettledPeriods(
      tx,
      confirmed.map(({ member, replaced }) => ({ id: member.id, period: replaced.settledPeriod })),
    );
    await members.quotas.unrestart(
      tx,
      confirmed.map(({ member, replaced }) => ({ row: member, used: replaced.quotaUsed })),
    );
    const claimed = confirmed.flatMap(({ member, row, replaced: { claimId } }) =>
      claimId === null ? [] : [{ memberId: member.id, claimId, isWaiting: true, reopened: { decidedAt: row.at } }],
    );
    await repository.reopenClaims(
      tx,
      claimed.map(({ claimId }) => claimId),
    );
    await audit.recordAll(
      tx,
      confirmed.map(({ member, row, replaced: { rows } }) => ({
        actorId: actor.memberId,
        action: "payment.undone",
        target: member.id,
        before: { period: row.period, ...traceOf(rows.map(({ now }) => now)), subscription_end: row.end_after },
        after: {
          period: row.period,
          ...traceOf(rows.flatMap(({ before }) => before ?? [])),
          subscription_end: row.end_before,
        },
      })),
    );
    await events.recordAll(tx, claimChanged, claimed);
    await events.recordAll(
      tx,
      paymentChanged,
      confirmed.map(({ member }) => ({ memberId: member.id })),
    );
  };

  return (actor: Actor, wish: UndoWishInput, language: Language): Promise<UndoneAnswer> =>
    transact(async (tx) => {
      const slice = await members.undo.find(tx, actor, wish, "payment");
      const confirmed = await untouched(tx, wish.act, slice.open);
      const taken = new Set(confirmed.map(({ member }) => member.id));
      for (const { member } of slice.open)
        if (!taken.has(member.id)) slice.refused.push({ member, id: member.id, why: "undo.changed_meanwhile" });
      if (confirmed.length > 0) await bringBack(tx, actor, confirmed);
      return members.undo.answer(slice, confirmed.length, language);
    });
}
