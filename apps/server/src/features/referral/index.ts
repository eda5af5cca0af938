import type { Tx } from "../../platform/database/database.ts";
import { jobKind } from "../../platform/jobs.ts";
import { memberDeleted, memberStandingChanged } from "../members/index.ts";
import type { ReferralParts } from "./parts.ts";
import { makeRecount } from "./recount.ts";

const recountReferral = jobKind<Record<string, never>>("referral.recount");

/**
 * The subscription that friends earn (decisions, section 4). What it depends on changes with time as well (a subscription
 * ends, a device is silent for thirty days), so it is worked out again every minute, and at once when a friend's standing
 * changes.
 */
export function makeReferral(parts: ReferralParts) {
  const { events, jobs, members } = parts;
  const recount = makeRecount(parts);
  jobs.handle(recountReferral, recount);
  // Thousands may change in one transaction: one recount after it is enough for all of them.
  const asked = new WeakSet<Tx>();
  for (const happened of [memberStandingChanged, memberDeleted])
    events.on(happened, async (tx, { memberId }) => {
      if (asked.has(tx)) return;
      const member = await members.find(tx, memberId);
      if (member?.friend_of == null) return;
      asked.add(tx);
      await jobs.enqueue(tx, recountReferral, { payload: {} });
    });
  return { recount, timed: [{ name: "referral", at: "30 * * * * *", leaseMs: 10_000, run: recount }] };
}
