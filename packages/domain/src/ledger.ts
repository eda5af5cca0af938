/**
 * What moves a subscription's end. `opening`: what the ledger began with; `free_month`: a month that needs no payment; `date`: staff set
 * or cleared the end.
 */
export const LEDGER_KINDS = [
  "opening",
  "trial",
  "code",
  "added",
  "payment",
  "free_month",
  "taken_back",
  "extension",
  "date",
  "undo",
  "deleted",
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerStep<Moment> {
  readonly endBefore: Moment | null;
  readonly endAfter: Moment | null;
}

/** Whether each step begins where the one before ended, and the last leads to this end. The oldest first. */
export function addsUp<Moment>(steps: readonly LedgerStep<Moment>[], end: Moment | null): boolean {
  let reached: Moment | null = null;
  for (const { endBefore, endAfter } of steps) {
    if (endBefore !== reached) return false;
    reached = endAfter;
  }
  return reached === end;
}

/** An extension without a sum. */
export const isGift = ({ kind, amount }: { kind: LedgerKind; amount: unknown }): boolean =>
  kind === "free_month" || (kind === "extension" && amount === null);
