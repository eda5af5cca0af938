import { HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { REFERRAL_SEEN_WITHIN_MS } from "@krug/domain/referral";
import { beforeCommit, type Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { memberDeleted, memberStandingChanged } from "../../members/members/index.ts";
import { memberSeenAgain } from "../../vpn/usage/index.ts";
import { makeEndsAhead } from "./ends-ahead.ts";
import type { ReferralParts } from "./parts.ts";
import { makeRecount } from "./recount.ts";

export type { EndAhead } from "./ends-ahead.ts";
export { referralEarned, referralLost } from "./events.ts";

export type Referral = ReturnType<typeof makeReferral>;

/** Without ids: for everyone, as earlier versions asked. */
const recountReferral = jobKind<{ inviterIds?: string[] }>("referral.recount");

/**
 * The subscription that friends earn (decisions, section 4). When a friend's standing changes, by an act or by time, the
 * inviter's is recalculated; if that changes, so is the inviter's inviter's, and so on up the tree. The cost does not depend on
 * the club's size.
 */
export function makeReferral(parts: ReferralParts) {
  const { db, clock, events, jobs, settings, members } = parts;
  const recount = makeRecount(parts);
  jobs.handle(recountReferral, async (payloads) => {
    if (payloads.some(({ inviterIds }) => inviterIds === undefined)) await recount.all();
    await recount.of(payloads.flatMap(({ inviterIds }) => inviterIds ?? []));
  });

  // Thousands may change in one transaction: one job after it serves all of them.
  const asked = new WeakMap<Tx, Set<string>>();
  const askAfter = async (tx: Tx, memberIds: readonly string[]): Promise<void> => {
    const inviterIds = (await members.byIds(tx, memberIds)).flatMap((row) => row.friend_of ?? []);
    if (inviterIds.length === 0) return;
    let all = asked.get(tx);
    if (all === undefined) {
      all = new Set();
      asked.set(tx, all);
      const ofThese = all;
      beforeCommit(tx, async () => {
        await jobs.enqueue(tx, recountReferral, { payload: { inviterIds: [...ofThese] } });
      });
    }
    for (const id of inviterIds) all.add(id);
  };
  for (const happened of [memberStandingChanged, memberDeleted])
    events.onAll(happened, (tx, changes: readonly { memberId: string }[]) =>
      askAfter(
        tx,
        changes.map(({ memberId }) => memberId),
      ),
    );
  events.on(memberSeenAgain, (tx, { memberIds }) => askAfter(tx, memberIds));

  let last: { at: number; graceHours: number } | null = null;
  /**
   * Handles what time has changed since the last check, in either direction: ended subscriptions, devices silent for thirty days.
   */
  const look = async (): Promise<void> => {
    const at = clock.now().getTime();
    const { graceHours } = await settings.read(db);
    if (last === null || last.graceHours !== graceHours) await recount.all();
    else if (last.at !== at) {
      const [after, until] = [Math.min(last.at, at), Math.max(last.at, at)];
      const before = (ms: number) => ({ after: after - ms, until: until - ms });
      await recount.of(await members.invitersByTime(db, before(graceHours * HOUR_MS), before(REFERRAL_SEEN_WITHIN_MS)));
    }
    last = { at, graceHours };
  };

  return {
    /** For everyone, from scratch. */
    recount: recount.all,
    look,
    endsAhead: makeEndsAhead(parts),
    timed: [
      // Each panel checks for itself, as with ends of subscriptions; the second finds nothing to do. In the same second as that
      // check, so that both read the settings once.
      { name: "referral", at: "*/2 * * * * *", run: look },
      // In case anything was missed.
      { name: "referral of everyone", at: "30 23 3 * * *", leaseMs: 10 * MINUTE_MS, run: recount.all },
    ],
  };
}
