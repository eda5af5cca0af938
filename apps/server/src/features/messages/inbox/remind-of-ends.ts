import { isoOf } from "@krug/domain/moment";
import { endsWorthALook, type ReminderStage, reminderStage } from "@krug/domain/subscription-reminder";
import { subscriptionsEnded } from "../../members/members/index.ts";
import type { EndAhead } from "../../money/referral/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NewNotice, Tell } from "./tell.ts";

const AT_ONCE = 500;

/**
 * Notifies members that their subscription ends or has ended, and that a subscription earned by friends ends with one of theirs.
 * Each end is notified once at each stage, also with several panels and after a restart: the key names the end, so a renewed
 * subscription's end is notified again.
 */
export function makeRemindOfEnds({ db, transact, clock, events, settings, members, referral }: InboxParts, tell: Tell) {
  const tellFresh = async (due: readonly NewNotice[]): Promise<void> => {
    const known = await repository.toldKeys(
      db,
      due.map(({ memberId }) => memberId),
    );
    const fresh = due.filter(({ memberId, onceKey }) => !known.has(`${memberId} ${onceKey}`));
    if (fresh.length === 0) return;
    const endedAt = new Map(
      fresh.flatMap(({ memberId, told }) =>
        told.kind === "subscription_ended" ? [[memberId, Date.parse(told.params.endedAt)] as const] : [],
      ),
    );
    await transact(async (tx) => {
      const ended = (await tell(tx, fresh)).flatMap(({ kind, memberId }) =>
        kind === "subscription_ended" ? [{ memberId, endedAt: endedAt.get(memberId) ?? 0 }] : [],
      );
      if (ended.length > 0) await events.record(tx, subscriptionsEnded, ended);
    });
  };

  const remindOfReferrals = async (ending: ReadonlyMap<string, EndAhead>, now: number): Promise<void> => {
    const { graceHours } = await settings.read(db);
    const due = (await members.byIds(db, [...ending.keys()])).flatMap((row) => {
      const end = ending.get(row.id);
      // Their paid subscription lasts at least as long.
      if (end === undefined || (row.subscription_end ?? 0) > end.endsAt) return [];
      const stage = reminderStage(
        {
          isActive: row.is_active === 1,
          isUnlimited: row.is_unlimited === 1,
          referralEarned: false,
          isTrial: false,
          subscriptionEnd: end.endsAt,
          graceHours,
        },
        now,
      );
      if (stage === null || stage === "ended") return [];
      const days: 1 | 3 = stage === "one_day" ? 1 : 3;
      const params = { days, endsAt: isoOf(end.endsAt), friend: end.friend };
      return [
        {
          memberId: row.id,
          told: { kind: "referral_ends" as const, params },
          about: end.friendId,
          onceKey: `referral:${stage}:${end.endsAt}`,
        },
      ];
    });
    await tellFresh(due);
  };

  return async (): Promise<void> => {
    const now = clock.now().getTime();
    const { graceHours } = await settings.read(db);
    const { from, to } = endsWorthALook(now, graceHours);
    const referralsEnding = await referral.endsAhead(to - now);
    for (let after: { end: number; id: string } | null = null; ; ) {
      const rows = await members.endingBetween(db, { from, to, after, limit: AT_ONCE });
      const due = rows.flatMap(
        ({ id, is_active, is_unlimited, referral_earned_at, subscription_source, subscription_end }) => {
          const keptUntil = referralsEnding.get(id)?.endsAt ?? Number.POSITIVE_INFINITY;
          const stage = reminderStage(
            {
              isActive: is_active === 1,
              isUnlimited: is_unlimited === 1,
              referralEarned: referral_earned_at !== null && keptUntil >= subscription_end,
              isTrial: subscription_source === "trial",
              subscriptionEnd: subscription_end,
              graceHours,
            },
            now,
          );
          return stage === null ? [] : [noticeOf(id, stage, subscription_end)];
        },
      );
      await tellFresh(due);
      const last = rows.at(-1);
      if (last === undefined || rows.length < AT_ONCE) break;
      after = { end: last.subscription_end, id: last.id };
    }
    await remindOfReferrals(referralsEnding, now);
  };
}

const noticeOf = (memberId: string, stage: ReminderStage, end: number) => ({
  memberId,
  told: toldOf(stage, isoOf(end)),
  onceKey: `subscription:${stage}:${end}`,
});

const toldOf = (stage: ReminderStage, end: string) =>
  stage === "ended"
    ? { kind: "subscription_ended" as const, params: { endedAt: end } }
    : {
        kind: "subscription_ends" as const,
        params: { days: stage === "one_day" ? (1 as const) : (3 as const), endsAt: end },
      };
