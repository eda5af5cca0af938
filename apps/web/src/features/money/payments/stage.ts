import type { OwnPayments } from "./queries.ts";

/**
 * What the sheet is about. `running` and `ended`: nothing was reported yet, and the subscription is or is not valid; `notSetUp`:
 * there is something to pay, but staff have not said what and how.
 */
export type Stage =
  | "free"
  | "waiting"
  | "paid"
  | "notRequired"
  | "notSetUp"
  | "declined"
  | "overdue"
  | "running"
  | "ended";

export function stageOf({ free, claim, current, price, details, offers }: OwnPayments, entitled: boolean): Stage {
  if (free !== null) return "free";
  if (claim?.state === "waiting") return "waiting";
  if (current.status === "paid") return "paid";
  if (current.status === "not_required") return "notRequired";
  if (price === null && details === null && offers.length === 0) return "notSetUp";
  if (claim !== null) return "declined";
  if (current.status === "overdue") return "overdue";
  return entitled ? "running" : "ended";
}
