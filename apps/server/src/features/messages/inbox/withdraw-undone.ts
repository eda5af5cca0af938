import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import { actUndone } from "../../members/members/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { Tell } from "./tell.ts";

/**
 * What is undone was not told: the notice goes, and what waits to be sent with it. Only members who can have learned of it are told
 * the opposite.
 */
export function withdrawUndone({ clock, clubTime, events, live }: InboxParts, tell: Tell): void {
  events.onAll(actUndone, async (tx, undone) => {
    const now = clock.now().getTime();
    const atOf = new Map(undone.map(({ memberId, at }) => [memberId, at]));
    const kinds = ["payment_recorded", "subscription_extended"] as const;
    const told = (await repository.toldSince(tx, [...atOf.keys()], kinds, Math.min(...atOf.values()))).filter(
      ({ member_id, created_at }) => created_at >= (atOf.get(member_id) ?? now),
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
