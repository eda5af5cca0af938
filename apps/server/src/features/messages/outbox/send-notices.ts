import { setTimeout as wait } from "node:timers/promises";
import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@krug/domain/moment";
import { type Reason, reasonLine } from "@krug/domain/reasons";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { isTroubled } from "../../../platform/database/trouble.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { retryWaitMs } from "../../../platform/jobs.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { OUTBOX_WRITTEN } from "./outbox.ts";
import * as repository from "./repository.ts";
import type { OutboxRow, WayName } from "./table.ts";

const LEASE_MS = 60_000;
const LEASE_LOOK_MS = 5_000;
const IDLE_MS = 20_000;
const AT_ONCE = 200;
/** If this many targets fail in a row, the service itself is in trouble. */
const OWN_TROUBLE = 3;
/** The longest wait a service may ask for. */
const LONGEST_ASKED_MS = HOUR_MS;
/** A notice that could not be sent for this long stays in the inbox only. */
const GIVEN_UP_AFTER_MS = 2 * DAY_MS;

/** A notice on its way to one target. */
export interface Letter {
  target: string;
  member: MemberRow;
  notice: NoticeAnswer;
  /** The club's day, YYYY-MM-DD. */
  today: string;
}

export type Outcome =
  /** Accepted, or there is nobody to accept it. */
  | { is: "sent" }
  /** Nothing will reach this target again: what waits for it is deleted too. */
  | { is: "gone" }
  /** It can never be sent; `isGone`: nor can anything else to this target. */
  | { is: "refused"; reason: Reason; isGone?: true }
  /** This target gets it later. `waitMs`: what the service asks for, if it does. */
  | { is: "postponed"; reason: Reason; waitMs: number | null }
  /** The whole channel waits. */
  | { is: "halted"; waitMs: number };

/** A channel on which notices leave the panel. */
export interface Way {
  name: WayName;
  /** The least time between two notices, ms. */
  betweenMs: number;
  sideBySide: number;
  /** Whether one service takes all of them, so that it is in trouble itself when several targets fail in a row. */
  isOneService: boolean;
  /** May throw on unexpected errors; the round is then repeated. */
  deliver(letter: Letter, signal: AbortSignal): Promise<Outcome>;
  /** Nothing reaches this target any more, or nothing has for two days. */
  lose?(tx: Tx, target: string): Promise<void>;
  /** The part of an error that may be logged. */
  detailsOf?(error: unknown): object;
}

/** Null: it was withdrawn, already read in the panel, or this reader may no longer see it. */
export type NoticeToSend = (db: Db, id: string, reader: MemberRow) => Promise<NoticeAnswer | null>;

export interface SendingParts extends Platform {
  members: Members;
  noticeToSend: NoticeToSend;
}

/**
 * Sends the outbox's notices for one channel, until the signal aborts it. One panel sends; a target gets its notices one after
 * another. A notice leaves the outbox after it was sent: however a panel ends, nothing is lost, and only what was in flight comes
 * twice.
 */
export function makeSendNotices(parts: SendingParts, way: Way) {
  const { db, transact, clock, clubTime, leases, log, signals, members, noticeToSend } = parts;
  const lease = `outbox:${way.name}`;
  let wake = () => {};
  signals.on(OUTBOX_WRITTEN, () => wake());
  signals.onGap(() => wake());

  return async (signal: AbortSignal): Promise<void> => {
    let nextSlot = 0;
    let failures = 0;
    /** ms that the whole channel has to wait; ends the round. */
    let halt: number | null = null;

    const untilMyTurn = async () => {
      const now = performance.now();
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + way.betweenMs;
      if (slot > now) await wait(slot - now, undefined, { signal });
    };

    /** False if later notices to the same target have to wait. */
    const send = async (row: OutboxRow): Promise<boolean> => {
      const member = await members.find(db, row.member_id);
      const notice = member?.is_active === 1 ? await noticeToSend(db, row.notice_id, member) : null;
      if (member === undefined || notice === null) {
        await transact((tx) => repository.remove(tx, row));
        return true;
      }
      const today = clubTime.dayOf(clock.now().getTime());
      try {
        await untilMyTurn();
        return await settle(row, await way.deliver({ target: row.target, member, notice, today }, signal));
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      }
    };

    const settle = async (row: OutboxRow, outcome: Outcome): Promise<boolean> => {
      switch (outcome.is) {
        case "sent":
          failures = 0;
          await transact((tx) => repository.remove(tx, row));
          return true;
        case "gone":
          await transact(async (tx) => {
            await repository.deleteWaiting(tx, way.name, [row.target]);
            await way.lose?.(tx, row.target);
          });
          return false;
        case "refused":
          log.warn(
            { way: way.name, notice: row.notice_id, reason: reasonLine(outcome.reason, "en") },
            "a notice was refused for good",
          );
          await transact(async (tx) => {
            await repository.giveUp(tx, row, outcome.reason, clock.now().getTime());
            if (outcome.isGone) await way.lose?.(tx, row.target);
          });
          return !outcome.isGone;
        case "halted":
          halt = outcome.waitMs;
          return false;
        case "postponed":
          await postpone(row, outcome);
          return false;
      }
    };

    const postpone = async (row: OutboxRow, { reason, waitMs }: Outcome & { is: "postponed" }) => {
      failures += 1;
      if (way.isOneService && failures >= OWN_TROUBLE) halt = retryWaitMs(failures);
      const now = clock.now().getTime();
      const isOld = now - row.turn / 1_000 > GIVEN_UP_AFTER_MS;
      const againMs = Math.max(Math.min(waitMs ?? 0, LONGEST_ASKED_MS), retryWaitMs(row.attempts + 1));
      await transact(async (tx) => {
        if (!isOld) return repository.postpone(tx, row, now + againMs);
        await repository.giveUp(tx, row, reason, now);
        await way.lose?.(tx, row.target);
      });
    };

    let leasedAt = 0;
    /** Rounds may take longer than the lease if services are slow. */
    const keepLease = async (): Promise<boolean> => {
      if (performance.now() - leasedAt < LEASE_MS / 3) return true;
      leasedAt = performance.now();
      return leases.take(lease, LEASE_MS);
    };

    /** Returns how long to wait before the next round, ms. */
    const round = async (): Promise<number> => {
      halt = null;
      // If nothing waits, nothing is written either.
      if ((await repository.nextDueAt(db, way.name)) === null) return IDLE_MS;
      leasedAt = performance.now();
      if (!(await leases.take(lease, LEASE_MS))) return LEASE_LOOK_MS;
      const rows = await repository.due(db, way.name, clock.now().getTime(), AT_ONCE);
      const targets = [...groupBy(rows, ({ target }) => target).values()];
      const work = async () => {
        try {
          for (let its = targets.shift(); its !== undefined && halt === null; its = targets.shift()) {
            if (!(await keepLease())) return;
            for (const row of its) if (signal.aborted || halt !== null || !(await send(row))) break;
          }
        } catch (error) {
          // The others end too before the next round begins.
          halt = LEASE_LOOK_MS;
          throw error;
        }
      };
      const ended = await Promise.allSettled(Array.from({ length: way.sideBySide }, work));
      for (const each of ended) if (each.status === "rejected") throw each.reason;
      if (halt !== null) return halt;
      if (rows.length === AT_ONCE) return 0;
      const next = await repository.nextDueAt(db, way.name);
      // What is due may be behind a later retry to the same target.
      return next === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(SECOND_MS, next - clock.now().getTime()));
    };

    while (!signal.aborted) {
      // Subscribed before the round: what is written during it is sent after it.
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
        if (!isTroubled(error))
          log.error({ ...(way.detailsOf?.(error) ?? { err: error }), way: way.name }, "notices could not be sent");
        waitMs = LEASE_LOOK_MS;
        halt = waitMs;
      }
      if (isWoken && halt === null) continue;
      const until = halt === null ? AbortSignal.any([signal, sleeping.signal]) : signal;
      await wait(waitMs, undefined, { signal: until }).catch(() => {});
    }
    await leases.release(lease).catch(() => {});
  };
}
