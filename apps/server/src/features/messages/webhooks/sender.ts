import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "@krug/domain/moment";
import { DELIVERY_WAITS_AT_MOST_MS, isGivenUp, pauseMs, retryWaitMs } from "@krug/domain/webhook-rules";
import { isTroubled } from "../../../platform/database/trouble.ts";
import { NoAnswer } from "../../../platform/http/internet.ts";
import { makeBodyOf } from "./body.ts";
import { WEBHOOKS_WRITTEN, type WebhookParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { secretsOf, urlOf } from "./sealed.ts";
import { signedHeaders } from "./signature.ts";
import { switchOff } from "./switch-off.ts";
import type { WebhookRow } from "./table.ts";

/** A try takes at most ten seconds, so the holder renews it in time. */
const LEASE_MS = 60_000;
const IDLE_MS = 20_000;
/** After trouble, and while another panel holds a webhook's lease. */
const LOOK_AGAIN_MS = 5_000;
const TOO_OLD = "too old";

/** The result of one try. */
interface Try {
  /** Null: no answer. */
  status: number | null;
  problem: string | null;
  /** Requested by the receiver. */
  waitMs: number | null;
  durationMs: number;
}

/**
 * Sends what waits for webhooks. A webhook gets one request at a time, in order, and does not delay others: each with something
 * due has its own worker, on the panel that holds its lease. A delivery is marked after its answer, so however a panel ends,
 * nothing is lost, and only what was in flight comes twice.
 */
export function makeWebhookSender(parts: WebhookParts) {
  const { db, transact, clock, sealing, leases, log, signals, internet } = parts;
  const bodyOf = makeBodyOf(parts);
  const stopping = new AbortController();
  /** Webhooks this panel works on, each with its worker. */
  const busy = new Map<string, Promise<void>>();
  let running: Promise<void> = Promise.resolve();
  let wake = () => {};
  signals.on(WEBHOOKS_WRITTEN, () => wake());
  signals.onGap(() => wake());
  const now = () => clock.now().getTime();

  const request = async (hook: WebhookRow, due: repository.Due): Promise<Try> => {
    const body = await bodyOf(db, due);
    const began = performance.now();
    const durationMs = () => Math.round(performance.now() - began);
    try {
      const headers = {
        "content-type": "application/json",
        "user-agent": "krug-webhooks",
        ...signedHeaders(secretsOf(sealing, hook, now()), due.id, clock.now(), body),
      };
      const taken = await internet.post(urlOf(sealing, hook), { headers, body: Buffer.from(body) }, stopping.signal);
      return { ...taken, problem: null, durationMs: durationMs() };
    } catch (error) {
      stopping.signal.throwIfAborted();
      if (!(error instanceof NoAnswer)) throw error;
      return { status: null, problem: error.word, waitMs: null, durationMs: durationMs() };
    }
  };

  const settle = (hook: WebhookRow, due: repository.Due, { status, problem, waitMs, durationMs }: Try) =>
    transact(async (tx) => {
      const at = now();
      const tried = {
        attempts: due.attempts + 1,
        last_at: at,
        last_status: status,
        last_problem: problem,
        duration_ms: durationMs,
      };
      const delivery = { webhookId: hook.id, eventId: due.id };
      const settled = async (state: "delivered" | "failed") => {
        await repository.updateDelivery(tx, delivery, { ...tried, state, next_at: null });
        if (due.sealed_username !== null) await repository.forgetArrivedNames(tx);
      };
      if (status !== null && status >= 200 && status < 300) {
        await repository.update(tx, hook.id, { failures: 0, failing_since: null, paused_until: null });
        await settled("delivered");
        return;
      }
      const failures = hook.failures + 1;
      const failingSince = hook.failing_since ?? at;
      const stops = pauseMs(failures, waitMs);
      await repository.update(tx, hook.id, {
        failures,
        failing_since: failingSince,
        paused_until: stops === 0 ? null : at + stops,
      });
      const againMs = retryWaitMs(tried.attempts - due.former_attempts, waitMs, Math.random());
      if (againMs === null) await settled("failed");
      else await repository.updateDelivery(tx, delivery, { ...tried, state: "waiting", next_at: at + againMs });
      const { host } = urlOf(sealing, hook);
      if (status === 410) await switchOff(parts, tx, { id: hook.id, host }, "gone");
      else if (isGivenUp({ failures, failingSince, now: at }))
        await switchOff(parts, tx, { id: hook.id, host }, "failing");
    });

  /** Works until nothing is due there. False: another panel works on it. */
  const workOn = async (id: string): Promise<boolean> => {
    const lease = `webhook:${id}`;
    let leasedAt = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        if (performance.now() - leasedAt > LEASE_MS / 3) {
          leasedAt = performance.now();
          if (!(await leases.take(lease, LEASE_MS))) return false;
          const since = now() - DELIVERY_WAITS_AT_MOST_MS;
          await transact((tx) => repository.giveUpWaiting(tx, { webhookId: id, since }, TOO_OLD));
        }
        // Reread each time: it may have been changed, and deliveries update it.
        const hook = await repository.find(db, id);
        if (stopping.signal.aborted || hook?.is_enabled !== 1 || (hook.paused_until ?? 0) > now()) return true;
        const due = await repository.nextDue(db, id, now());
        if (due === undefined) return true;
        await settle(hook, due, await request(hook, due));
      }
    } finally {
      await leases.release(lease).catch(() => {});
    }
  };

  const begin = (id: string): void => {
    if (busy.has(id)) return;
    const work = workOn(id)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted && !isTroubled(error))
          log.error({ err: error, webhook: id }, "a webhook could not be worked on");
        return false;
      })
      .then((hasWorked) => {
        busy.delete(id);
        // What is left is due later.
        if (hasWorked) wake();
      });
    busy.set(id, work);
  };

  /** Starts a worker for every webhook with something due; returns how long to wait before the next check, ms. */
  const look = async (): Promise<number> => {
    const dues = await repository.nextDues(db);
    const due = dues.filter(({ at }) => at <= now());
    for (const { id } of due) begin(id);
    if (due.length > 0) return LOOK_AGAIN_MS;
    return Math.min(IDLE_MS, ...dues.map(({ at }) => Math.max(SECOND_MS, at - now())));
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Subscribed before the check: what is written during it is handled after it.
      const sleeping = new AbortController();
      wake = () => sleeping.abort();
      let waitMs = LOOK_AGAIN_MS;
      try {
        waitMs = await look();
      } catch (error) {
        if (!isTroubled(error)) log.error({ err: error }, "webhooks could not be looked at");
      }
      const until = AbortSignal.any([stopping.signal, sleeping.signal]);
      await wait(waitMs, undefined, { signal: until }).catch(() => {});
    }
    await Promise.all(busy.values());
  };

  return {
    start(): void {
      running = run();
    },
    /** Aborts what is in flight; it is sent again after the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    /** Tries everything that is due, until nothing is; for tests. */
    async drain(): Promise<void> {
      for (;;) {
        const dues = (await repository.nextDues(db)).filter(({ at }) => at <= now());
        if (dues.length === 0 && busy.size === 0) return;
        for (const { id } of dues) begin(id);
        await Promise.all(busy.values());
      }
    },
  };
}
