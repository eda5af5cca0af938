import { randomUUID } from "node:crypto";
import type { ToldNotice } from "@krug/contract/inbox";
import type { Tx } from "../../platform/database/database.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";

export interface NewNotice {
  memberId: string;
  told: ToldNotice;
  /** Prevents telling this member twice; without it, repeats are fine. */
  onceKey?: string;
}

export type Tell = ReturnType<typeof makeTell>;

/**
 * Writes notices in the transaction of their cause, for the ways out too, and makes open pages ask for them. Answers those that
 * were written: what was told before is not told again.
 */
export const makeTell =
  ({ clock, live, outbox }: Pick<InboxParts, "clock" | "live" | "outbox">) =>
  async (tx: Tx, notices: readonly NewNotice[]) => {
    const now = clock.now().getTime();
    const told = await repository.insert(
      tx,
      notices.map(({ memberId, told: { kind, params }, onceKey }) => ({
        id: randomUUID(),
        member_id: memberId,
        kind,
        params: JSON.stringify(params),
        once_key: onceKey ?? null,
        created_at: now,
        read_at: null,
      })),
    );
    if (told.length === 0) return told;
    await outbox.put(tx, told);
    live.tell(
      tx,
      told.map(({ memberId }) => memberId),
      "inbox",
    );
    return told;
  };
