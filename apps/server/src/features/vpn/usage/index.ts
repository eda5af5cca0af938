import { isAheadOfTime } from "@krug/domain/moment";
import { REFERRAL_SEEN_WITHIN_MS } from "@krug/domain/referral";
import { daysUpTo } from "@krug/domain/traffic";
import { letOthersIn } from "../../../platform/database/chunks.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type Added, type Members, MONTH_DAYS, RECENT_DAYS, type Use } from "../../members/members/index.ts";
import type { Configs } from "../configs/index.ts";
import { type Traffic, trafficCounted } from "../traffic/index.ts";
import { memberSeenAgain } from "./events.ts";

export { memberSeenAgain } from "./events.ts";

/** Members counted in one transaction: each ends before others wait long. */
const AT_ONCE = 100;

/** 0 for a time recorded under a wrong clock. */
const honest = (at: number | null, now: number): number => (at === null || isAheadOfTime(at, now) ? 0 : at);

interface Parts extends Platform {
  members: Members;
  configs: Configs;
  traffic: Traffic;
}

/**
 * Stores the sums of a member's devices next to their row: the last handshake and the bytes of up to 30 days. Each count of
 * traffic adds to them at once; when a day ends, everyone's 30 days are summed again.
 */
export function makeMemberUsage({ transact, clock, clubTime, events, members, configs, traffic }: Parts) {
  events.on(trafficCounted, async (tx, counted) => {
    if (counted.length === 0) return;
    const holders = await configs.holdersOf(
      tx,
      counted.map(({ configId }) => configId),
    );
    const use = new Map<string, Added>();
    const now = clock.now().getTime();
    for (const { configId, rx, tx: sent, lastHandshakeAt } of counted) {
      const holder = holders.get(configId);
      if (holder === undefined) continue;
      const before = use.get(holder) ?? { bytes: 0, last_handshake_at: 0 };
      use.set(holder, {
        bytes: before.bytes + rx + sent,
        last_handshake_at: Math.max(before.last_handshake_at, honest(lastHandshakeAt, now)),
      });
    }
    const since = now - REFERRAL_SEEN_WITHIN_MS;
    const seen = [...use].flatMap(([id, { last_handshake_at }]) => (last_handshake_at > since ? [id] : []));
    const again = await members.notSeenSince(tx, seen, since);
    await members.quotas.addUse(tx, use);
    if (again.length === 0) return;
    await events.record(tx, memberSeenAgain, {
      memberIds: again.map(({ id }) => id),
      firstIds: again.flatMap(({ id, isFirst }) => (isFirst ? [id] : [])),
    });
  });

  /** Returns how many were counted: fewer than requested once all are up to date. */
  const countSome = (day: string) =>
    transact(async (tx) => {
      const now = clock.now().getTime();
      const ids = await members.lockUseBefore(tx, day, AT_ONCE);
      const owned = await configs.ownersOf(tx, ids);
      const used = await traffic.useSince(
        tx,
        owned.map(({ id }) => id),
        daysUpTo(day, MONTH_DAYS)[0] ?? day,
        daysUpTo(day, RECENT_DAYS)[0] ?? day,
      );
      const byMember = groupBy(owned, ({ member_id }) => member_id);
      const use = new Map(
        ids.map((id): [string, Use] => {
          const ofConfigs = (byMember.get(id) ?? []).flatMap((config) => used.get(config.id) ?? []);
          return [
            id,
            {
              month_bytes: ofConfigs.reduce((sum, { bytes }) => sum + bytes, 0),
              recent_bytes: ofConfigs.reduce((sum, { recentBytes }) => sum + recentBytes, 0),
              last_handshake_at: Math.max(0, ...ofConfigs.map(({ lastHandshakeAt }) => honest(lastHandshakeAt, now))),
            },
          ];
        }),
      );
      await members.writeUse(tx, day, use);
      return ids.length;
    });

  /** Sums the 30 days of everyone for whom a day has ended since, a hundred at a time. */
  const countDays = async (): Promise<void> => {
    while ((await countSome(clubTime.dayOf(clock.now().getTime()))) === AT_ONCE) await letOthersIn();
  };

  return {
    countDays,
    // Soon after a day of the club's calendar has ended, and after a start.
    timed: [{ name: "month of use", at: "20 * * * * *", leaseMs: 10_000, run: countDays }],
  };
}
