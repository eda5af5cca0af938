import { eventType } from "../../../platform/events.ts";

/** A code of staff's was made, changed, deactivated or used. */
export const inviteCodesChanged = eventType<Record<never, never>>("invite.codes_changed");

/** Many wrong codes came within an hour, from all addresses together. */
export const codesGuessed = eventType<{ wrongCodes: number }>("invite.codes_guessed");

/** An address or a code has made as many members as it may within a day. */
export const joiningLimited = eventType<{
  by: "address" | "code";
  /** Null if an address did so. */
  codeId: string | null;
}>("invite.joining_limited");
