import { setTimeout as pause } from "node:timers/promises";
import type { NoticeAnswer } from "@krug/contract/inbox";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import type { Api } from "grammy";
import type { Db } from "../../platform/database/database.ts";
import { isTroubled } from "../../platform/database/trouble.ts";
import { groupBy } from "../../platform/group-by.ts";
import { retryWaitMs } from "../../platform/jobs.ts";
import type { Signals } from "../../platform/signals.ts";
import { isTelegramConnected } from "../members/index.ts";
import { detailsOf, failureOf, isOfBot } from "./failure.ts";
import type { Linking } from "./linking.ts";
import { noticeMessage } from "./notice-message.ts";
import { OUTBOX_WRITTEN } from "./outbox.ts";
import * as repository from "./outbox-repository.ts";
import type { TelegramParts } from "./parts.ts";
import type { OutboxRow } from "./table.ts";
import { words } from "./words.ts";

const LEASE = "telegram-outbox";
const LEASE_MS = 60_000;
const LEASE_LOOK_MS = 5_000;
const IDLE_MS = 20_000;
/** Telegram takes about 30 a second from a bot (Bot API, FAQ). */
const BETWEEN_MS = SECOND_MS / 25;
const SIDE_BY_SIDE = 4;
const AT_ONCE = 200;
/** Trouble of so many chats in a row is Telegram's own. */
const OWN_TROUBLE = 3;
const REFUSED_WAIT_MS = MINUTE_MS;
/** What could not be sent for so long stays in the inbox alone. */
const GIVEN_UP_AFTER_MS = 2 * DAY_MS;

interface Parts extends TelegramParts {
  signals: Signals;
  linking: Linking;
  openApi(): Promise<Api>;
  /** Null: it was taken back, or read in the panel meanwhile. */
  noticeToSend(db: Db, id: string): Promise<NoticeAnswer | null>;
}

/**
 * Sends what the outbox holds, until the signal ends it. One panel sends; a chat gets its notices one after the other. What is
 * sent leaves the outbox afterwards: whatever ends a panel, nothing is lost, and only what was on its way then comes twice.
 */
export function makeSendNotices(parts: Parts) {
  const { db, transact, clock, clubTime, leases, log, signals, members, linking, publicUrl, openApi, noticeToSend } =
    parts;
  // Telegram refuses a button that leads to another address than one of the internet.
  const page = publicUrl?.protocol === "https:" ? publicUrl.origin : null;
  let wake = () => {};
  signals.on(OUTBOX_WRITTEN, () => wake());
  signals.onGap(() => wake());

  return async (signal: AbortSignal): Promise<void> => {
    const api = await openApi();
    let nextSlot = 0;
    let failures = 0;
    /** ms of waiting that Telegram asked for; ends the round. */
    let halt: number | null = null;

    const untilMyTurn = async () => {
      const now = performance.now();
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + BETWEEN_MS;
      if (slot > now) await pause(slot - now, undefined, { signal });
    };

    /** False if what comes after it for the same member has to wait. */
    const send = async (row: OutboxRow): Promise<boolean> => {
      const member = await members.find(db, row.member_id);
      const notice = await noticeToSend(db, row.notice_id);
      if (member?.telegram_id == null || !isTelegramConnected(member) || member.is_active !== 1 || notice === null) {
        await transact((tx) => repository.remove(tx, row.notice_id));
        return true;
      }
      const language = member.telegram_language ?? "ru";
      const now = clock.now().getTime();
      const text = noticeMessage(notice, language, clubTime.dayOf(now));
      const keyboard = page && { inline_keyboard: [[{ text: words[language].toPage, url: page }]] };
      await untilMyTurn();
      try {
        await api.sendMessage(member.telegram_id, text, keyboard ? { reply_markup: keyboard } : {}, signal as never);
      } catch (error) {
        if (signal.aborted) return false;
        return fail(row, member.telegram_id, error);
      }
      failures = 0;
      await transact((tx) => repository.remove(tx, row.notice_id));
      return true;
    };

    const fail = async (row: OutboxRow, telegramId: string, error: unknown): Promise<boolean> => {
      const failure = failureOf(error);
      if (failure === null) throw error;
      const now = clock.now().getTime();
      if (failure.kind === "person_gone") {
        await linking.noteBlocked(telegramId);
        await transact((tx) => repository.deleteOf(tx, row.member_id));
        return false;
      }
      if (!isOfBot(failure)) {
        log.warn({ notice: row.notice_id, reason: failure.reason }, "Telegram refused a notice");
        await transact((tx) => repository.giveUp(tx, row.notice_id, failure.reason, now));
        return true;
      }
      if (failure.waitMs !== null || failure.kind !== "unreachable") {
        halt = failure.waitMs ?? REFUSED_WAIT_MS;
        return false;
      }
      failures += 1;
      if (failures >= OWN_TROUBLE) halt = retryWaitMs(failures);
      const isOld = now - row.turn / 1_000 > GIVEN_UP_AFTER_MS;
      await transact((tx) =>
        isOld
          ? repository.giveUp(tx, row.notice_id, failure.reason, now)
          : repository.postpone(tx, row, now + retryWaitMs(row.attempts + 1)),
      );
      return false;
    };

    /** Answers how long to wait before the next, ms. */
    const round = async (): Promise<number> => {
      if (!(await leases.take(LEASE, LEASE_MS))) return LEASE_LOOK_MS;
      const rows = await repository.due(db, clock.now().getTime(), AT_ONCE);
      const chats = [...groupBy(rows, ({ member_id }) => member_id).values()];
      halt = null;
      const work = async () => {
        for (let chat = chats.shift(); chat !== undefined && halt === null; chat = chats.shift())
          for (const row of chat) if (signal.aborted || halt !== null || !(await send(row))) break;
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
      if (halt !== null) return halt;
      if (rows.length === AT_ONCE) return 0;
      const next = await repository.nextDueAt(db);
      // What is due may be behind another one of its chat that is tried again later.
      return next === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(SECOND_MS, next - clock.now().getTime()));
    };

    while (!signal.aborted) {
      // Heard from here on: what is written during the round is looked for after it.
      let isWoken = false;
      const sleeping = new AbortController();
      wake = () => {
        isWoken = true;
        sleeping.abort();
      };
      let waitMs: number;
      try {
        waitMs = await round();
      } catch (error) {
        if (signal.aborted) break;
        if (!isTroubled(error)) log.error(detailsOf(error), "notices could not be sent to Telegram");
        waitMs = LEASE_LOOK_MS;
        halt = waitMs;
      }
      if (isWoken && halt === null) continue;
      const until = halt === null ? AbortSignal.any([signal, sleeping.signal]) : signal;
      await pause(waitMs, undefined, { signal: until }).catch(() => {});
    }
    await leases.release(LEASE).catch(() => {});
  };
}
