import type { ToldNotice } from "@krug/contract/inbox";
import { DAY_MS } from "@krug/domain/moment";
import { MANNERS, NOTICE_GROUPS, type NoticeGroup, OFF_BY_DEFAULT } from "@krug/domain/notice-groups";
import { endOfQuiet } from "@krug/domain/quiet-hours";
import type { Db, Tx } from "../../platform/database/database.ts";
import * as repository from "./outbox-repository.ts";
import type { TelegramParts } from "./parts.ts";

/** Every panel hears of it; one of them sends. */
export const OUTBOX_WRITTEN = "telegram.outbox";
/** Long enough for staff to see what could not be sent, and why. */
const FAILED_KEPT_MS = 7 * DAY_MS;

/** A notice as the inbox has just written it. */
interface Written {
  id: string;
  memberId: string;
  kind: ToldNotice["kind"];
}

export type TelegramChoices = Record<NoticeGroup, boolean>;

/** What waits for Telegram: written in the transaction of its cause, so that nothing is lost (send-notices.ts sends it). */
export function makeOutbox(parts: TelegramParts) {
  const { transact, clock, clubTime, signals, settings, members, bot } = parts;
  let lastTurn = 0;

  const choicesOf = async (over: Db | Tx, memberId: string): Promise<TelegramChoices> => {
    const chosen = new Map((await repository.choices(over, [memberId])).map((row) => [row.notices, row.wanted === 1]));
    return Object.fromEntries(
      NOTICE_GROUPS.map((group) => [group, chosen.get(group) ?? !OFF_BY_DEFAULT.includes(group)]),
    ) as TelegramChoices;
  };

  return {
    choicesOf,
    choose: (memberId: string, change: { [Group in NoticeGroup]?: boolean | undefined }): Promise<TelegramChoices> =>
      transact(async (tx) => {
        for (const group of NOTICE_GROUPS) {
          const isWanted = change[group];
          if (isWanted !== undefined)
            await repository.choose(tx, { member_id: memberId, notices: group, wanted: Number(isWanted) });
        }
        return choicesOf(tx, memberId);
      }),

    /** Those of these members who asked for notices that are off by default. */
    async wanting(tx: Db | Tx, memberIds: readonly string[], group: NoticeGroup): Promise<string[]> {
      const rows = await repository.choices(tx, memberIds);
      return rows.filter(({ notices, wanted }) => notices === group && wanted === 1).map((row) => row.member_id);
    },

    /** Sends these to Telegram too, to those who are linked and want it. */
    async put(tx: Tx, notices: readonly Written[]): Promise<void> {
      if (bot.token === null || notices.length === 0) return;
      const ids = [...new Set(notices.map(({ memberId }) => memberId))];
      const linked = new Set(await members.linkedAmong(tx, ids));
      if (linked.size === 0) return;
      const unwanted = new Set(
        (await repository.choices(tx, [...linked]))
          .filter(({ wanted }) => wanted === 0)
          .map((row) => `${row.member_id} ${row.notices}`),
      );
      const now = clock.now().getTime();
      const { quietFrom, quietUntil } = await settings.read(tx);
      const end = endOfQuiet(clubTime.toWall(now), { from: quietFrom, until: quietUntil });
      const afterQuiet = end === null ? now : clubTime.fromWall(end);
      const rows = notices
        .filter(({ memberId, kind }) => linked.has(memberId) && !unwanted.has(`${memberId} ${MANNERS[kind].group}`))
        .map(({ id, memberId, kind }) => {
          lastTurn = Math.max(lastTurn + 1, now * 1_000);
          const not_before = MANNERS[kind].canWait ? afterQuiet : now;
          return { notice_id: id, member_id: memberId, turn: lastTurn, not_before, attempts: 0 };
        });
      if (rows.length === 0) return;
      await repository.insert(tx, rows);
      signals.send(tx, OUTBOX_WRITTEN);
    },

    standing: (over: Db) => repository.standing(over),
    forgetFailed: (tx: Tx) => repository.deleteFailedBefore(tx, clock.now().getTime() - FAILED_KEPT_MS),
    forget: async (tx: Tx, memberId: string): Promise<void> => {
      await repository.deleteOf(tx, memberId);
      await repository.deleteChoicesOf(tx, memberId);
    },
  };
}
