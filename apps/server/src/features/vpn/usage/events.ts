import { eventType } from "../../../platform/events.ts";

/** Members connected for the first time, or after so long that they no longer counted as friends who use the club. */
export const memberSeenAgain = eventType<{
  memberIds: readonly string[];
  /** Those of them who had never connected. */
  firstIds: readonly string[];
}>("member.seen_again");
