import { ApiError, NoAnswer } from "./api.ts";

/** What failed, in the specification's words (operator's side 8), and the panel's reason if it gave one. */
export function withReason(failed: string, error: unknown, silence: string): string {
  const reason = error instanceof NoAnswer ? silence : error instanceof ApiError ? error.message : "";
  return reason === "" ? failed : `${failed}. ${reason}`;
}
