import { eventType } from "../../../platform/events.ts";

/** A staff code was made, changed, deactivated or used. */
export const inviteCodesChanged = eventType<Record<never, never>>("invite.codes_changed");

/** Many wrong codes came within an hour, from all addresses together. */
export const codesGuessed = eventType<{ wrongCodes: number }>("invite.codes_guessed");

/** As many members have joined from an address, or by a code, as may within a day. */
export const joiningLimited = eventType<{
  by: "address" | "code";
  /** Null if it was an address. */
  codeId: string | null;
}>("invite.joining_limited");
