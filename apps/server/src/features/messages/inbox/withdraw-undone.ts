import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import { groupBy } from "../../../platform/group-by.ts";
import { actUndone, type Undoing } from "../../members/members/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NoticeRow } from "./table.ts";
import type { Tell } from "./tell.ts";

const keyOf = (actId: string) => `act:${actId}`;

/** Of a notice about what can still be undone: it can be found again, and leaves the panel only afterwards. */
export const whileUndoable = (undoing: Undoing | undefined) =>
  undoing === undefined ? {} : { onceKey: keyOf(undoing.actId), heldUntil: undoing.until };

/**
 * What is undone was not told: the notice goes, and what waits to be sent with it. Only members who can have learned of it are told
 * the opposite.
 */
export function withdrawUndone({ clock, clubTime, events, live }: InboxParts, tell: Tell): void {
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
    await repository.remove(
      tx,
      told.map(({ id }) => id),
    );
    live.tell(
      tx,
      told.map(({ member_id }) => member_id),
      "inbox",
    );
    const know = new Set(
      told
        .filter(({ read_at, created_at }) => read_at !== null || now - created_at >= UNDO_UNTIL_MS)
        .map(({ member_id }) => member_id),
    );
    await tell(
      tx,
      undone
        .filter(({ memberId }) => know.has(memberId))
        .map(({ memberId, until }) => ({
          memberId,
          told: { kind: "extension_undone", params: { until: (until ?? 0) > now ? clubTime.write(until) : null } },
        })),
    );
  });
}
