import { type Language, refusalText } from "@krug/contract/refusals";
import type { UndoneAnswer, UndoWishInput } from "@krug/contract/undo";
import type { LedgerKind } from "@krug/domain/ledger";
import { canUndo } from "@krug/domain/undo";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { isHidden } from "../../club/rights/index.ts";
import { moneyOf } from "./change-member.ts";
import { actUndone, memberChanged, memberStandingChanged } from "./events.ts";
import * as ledger from "./ledger.ts";
import * as repository from "./repository.ts";
import type { LedgerRow, MemberRow } from "./table.ts";

/** Members of one act that are brought back in one transaction. */
const SLICE = 250;

export type UndoRefusal = "undo.changed_meanwhile" | "undo.member_gone";

/** Something that one press did to a locked member, and that nothing newer has followed. */
export interface Undoable {
  member: MemberRow;
  row: LedgerRow;
}

export interface UndoSlice {
  open: Undoable[];
  refused: { member: MemberRow | undefined; id: string; why: UndoRefusal }[];
  /** How many were undone before. */
  done: number;
  after: string | null;
}

/**
 * Takes back what one press of a staff member did (ADR 182): only for its time, only by the same person, and only where nothing newer
 * has moved the member's end.
 */
export function makeUndo({ clock, events }: Platform) {
  return {
    /** Locks the next members of an act. @throws Refusal undo.nothing, undo.too_late */
    async find(tx: Tx, actor: Actor, { act, after }: UndoWishInput, kind: LedgerKind): Promise<UndoSlice> {
      const rows = await ledger.ofAct(tx, { actId: act, byId: actor.memberId, kind, after, limit: SLICE });
      if (rows.length === 0) refuse("undo.nothing");
      const open = rows.filter((row) => !row.isUndone);
      const lastAt = await ledger.lastOfAct(tx, { actId: act, byId: actor.memberId, kind });
      // A repeated call gets the first result, however late it comes.
      if (open.length > 0 && !canUndo(lastAt, clock.now().getTime())) refuse("undo.too_late");
      const found: UndoSlice = {
        open: [],
        refused: [],
        done: rows.length - open.length,
        after: rows.length < SLICE ? null : (rows.at(-1)?.member_id ?? null),
      };
      const ids = open.map((row) => row.member_id);
      if (ids.length === 0) return found;
      const members = new Map((await repository.lockAll(tx, ids)).map((row) => [row.id, row]));
      // Read under the locks: somebody may have moved an end while this call waited for them.
      const last = new Map((await ledger.positionsOf(tx, ids)).map((row) => [row.id, row]));
      for (const row of open) {
        const id = row.member_id;
        const member = members.get(id);
        const { seq, act_id } = last.get(id) ?? {};
        if (member === undefined || isHidden(actor, member))
          found.refused.push({ member: undefined, id, why: "undo.member_gone" });
        else if (seq === row.seq && member.subscription_end === row.end_after) found.open.push({ member, row });
        else if (seq !== row.seq && act_id === act) found.done += 1;
        else found.refused.push({ member, id, why: "undo.changed_meanwhile" });
      }
      return found;
    },

    /** Moves the ends back. The caller writes what else there was, and the audit. */
    async moveBack(tx: Tx, actor: Actor, open: readonly Undoable[]): Promise<void> {
      const at = clock.now().getTime();
      await repository.moveEnds(
        tx,
        open.map(({ row }) => ({
          memberId: row.member_id,
          end: row.end_before,
          source: row.source_before,
          kind: "undo",
          byId: actor.memberId,
          at,
          actId: row.act_id,
          period: row.period,
          months: row.months,
          amount: row.amount === null ? null : -row.amount,
          currency: row.currency,
        })),
      );
      const ids = open.map(({ member }) => ({ memberId: member.id }));
      await events.recordAll(tx, memberChanged, ids);
      await events.recordAll(tx, memberStandingChanged, ids);
      await events.recordAll(
        tx,
        actUndone,
        open.map(({ row: { member_id, act_id, end_before, period, months } }) => ({
          memberId: member_id,
          actId: act_id,
          until: end_before,
          payment: period === null ? null : { period, months: months ?? 1 },
        })),
      );
    },

    answer: (slice: UndoSlice, undone: number, language: Language): UndoneAnswer => ({
      undone: slice.done + undone,
      refused: slice.refused.map(({ member, id, why }) => ({
        id,
        username: member?.username ?? "",
        displayName: member?.display_name ?? "",
        code: why,
        message: refusalText(why, language),
      })),
      after: slice.after,
    }),
  };
}

/** The same for extensions, whose ends and sums are all there is. */
export function makeUndoExtension(parts: Platform & { audit: Audit }) {
  const { audit, transact } = parts;
  const undo = makeUndo(parts);
  return (actor: Actor, wish: UndoWishInput, language: Language): Promise<UndoneAnswer> =>
    transact(async (tx) => {
      const slice = await undo.find(tx, actor, wish, "extension");
      if (slice.open.length === 0) return undo.answer(slice, 0, language);
      await undo.moveBack(tx, actor, slice.open);
      await audit.recordAll(
        tx,
        slice.open.map(({ member, row }) => ({
          actorId: actor.memberId,
          action: "member.extension_undone",
          target: member.id,
          before: { subscription_end: row.end_after, ...moneyOf(row) },
          after: { subscription_end: row.end_before, subscription_source: row.source_before },
        })),
      );
      return undo.answer(slice, slice.open.length, language);
    });
}
