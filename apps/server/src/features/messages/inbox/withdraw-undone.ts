import type { Told } from "@krug/domain/notices";
import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import type { Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { type ActUndone, actUndone, type Undoing } from "../../members/members/index.ts";
import { ifSeveral } from "../../money/payments/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NoticeRow } from "./table.ts";
import type { Tell } from "./tell.ts";

type ToldOfUndone = Extract<Told, { kind: "extension_undone" | "payment_undone" }>;

const keyOf = (actId: string) => `act:${actId}`;

/** Of a notice about what can still be undone: it can be found again, and leaves the panel only afterwards. */
export const whileUndoable = (undoing: Undoing | undefined) =>
  undoing === undefined ? {} : { onceKey: keyOf(undoing.actId), heldUntil: undoing.until };

/**
 * What is undone needs no notice: it is deleted with what waits to be sent of it. Only members who may have seen it are notified
 * the opposite.
 */
export function withdrawUndone({ clock, clubTime, events, live }: InboxParts, tell: Tell) {
  const removeAll = async (tx: Tx, rows: readonly NoticeRow[]): Promise<void> => {
    await repository.remove(
      tx,
      rows.map(({ id }) => id),
    );
    live.tell(
      tx,
      rows.map(({ member_id }) => member_id),
      "inbox",
    );
  };
  const isKnown = ({ read_at, created_at }: NoticeRow) =>
    read_at !== null || clock.now().getTime() - created_at >= UNDO_UNTIL_MS;
  const toldOf = (payment: ActUndone["payment"], until: number | null): ToldOfUndone => {
    const end = { until: clubTime.write(until) };
    return payment === null
      ? { kind: "extension_undone", params: end }
      : { kind: "payment_undone", params: { period: payment.period, ...ifSeveral(payment.months), ...end } };
  };
  events.onAll(actUndone, async (tx, undone) => {
    const now = clock.now().getTime();
    const told: NoticeRow[] = [];
    for (const [actId, members] of groupBy(undone, (one) => one.actId))
      told.push(
        ...(await repository.byKey(
          tx,
          members.map(({ memberId }) => memberId),
          keyOf(actId),
        )),
      );
    await removeAll(tx, told);
    const know = new Set(told.filter(isKnown).map(({ member_id }) => member_id));
    await tell(
      tx,
      undone
        .filter(({ memberId }) => know.has(memberId))
        .map(({ memberId, until, payment }) => ({
          memberId,
          told: toldOf(payment, (until ?? 0) > now ? until : null),
        })),
    );
  });

  /** Removes a notice that its member cannot have learned of, and says whether there was one. */
  return async (tx: Tx, memberId: string, onceKey: string): Promise<boolean> => {
    const fresh = (await repository.byKey(tx, [memberId], onceKey)).filter((row) => !isKnown(row));
    await removeAll(tx, fresh);
    return fresh.length > 0;
  };
}
