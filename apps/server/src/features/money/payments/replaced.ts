import type { Tx } from "../../../platform/database/database.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { Recorded } from "./record-months.ts";
import * as repository from "./repository.ts";
import type { ClaimRow, PaymentRow } from "./table.ts";

/** What a confirmation replaced. */
export interface Replaced {
  /** `before` null: there was no such record. */
  rows: { now: PaymentRow; before: PaymentRow | null }[];
  claimId: string | null;
  settledPeriod: string;
  /** Bytes that no longer count towards the member's quota. */
  quotaUsed: number;
}

/** Keeps it for the moment in which it can be undone. */
export async function keepReplaced(
  tx: Tx,
  actId: string,
  member: MemberRow,
  { rows, known, claim, quotaUsed }: Recorded & { claim: ClaimRow | undefined; quotaUsed: number },
): Promise<void> {
  const replaced: Replaced = {
    rows: rows.map((row) => ({ now: row, before: known.get(row.period) ?? null })),
    claimId: claim?.id ?? null,
    settledPeriod: member.settled_period,
    quotaUsed,
  };
  const at = Math.max(...rows.map((row) => row.changed_at));
  await repository.keepReplaced(tx, { act_id: actId, member_id: member.id, at, before: JSON.stringify(replaced) });
}
