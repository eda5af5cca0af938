import { randomUUID } from "node:crypto";
import { DAY_MS, HONEST_SKEW_MS, MINUTE_MS } from "@krug/domain/moment";
import { type Reason, reasonLine } from "@krug/domain/reasons";
import { type ExpressionBuilder, sql } from "kysely";
import type { Clock } from "./clock.ts";
import { chunks } from "./database/chunks.ts";
import { afterCommit, type Db, isPostgres, type Transact, type Tx } from "./database/database.ts";
import { prepared, preparedForList, preparedForRow } from "./database/prepared.ts";
import { isTroubled } from "./database/trouble.ts";
import { reasonOf } from "./failure.ts";
import { groupBy } from "./group-by.ts";
import { DATABASE_NOW, type HeldLeases, TakenOver } from "./held-leases.ts";
import { outsideRequests } from "./http/current-request.ts";
import type { Log } from "./log.ts";
import type { Signals } from "./signals.ts";

type JobTables = {
  leases: { name: string; holder: string; expires_at: number };
  jobs: {
    id: string;
    kind: string;
    lane: string;
    panel_id: string | null;
    payload: string;
    run_at: number;
    attempts: number;
    locked_until: number | null;
    /** The process that claimed it, named like a lease holder. */
    claimed_by: string | null;
    failed_at: number | null;
    last_error: Reason | null;
    created_at: number;
  };
};

export interface JobKind<Payload> {
  readonly name: string;
  /** Whether only the panel that holds the lease named after a job's lane may run it. */
  readonly underLease: boolean;
  /** For the type only. */
  readonly payload?: Payload;
}

export const jobKind = <Payload>(name: string, { underLease = false } = {}): JobKind<Payload> => ({ name, underLease });

/**
 * Runs jobs of one kind and lane. A handler may call `end` to finish them in its own last transaction; otherwise they are
 * finished once it returns.
 */
type Run<Payload> = (payloads: Payload[], end: (tx: Tx) => Promise<void>) => Promise<void>;

export interface NewJob<Payload> {
  payload: Payload;
  /** Jobs of one lane run one batch after another; lanes run side by side. Defaults to the kind's name. */
  lane?: string;
  /** Only this panel may run it: work on its own machine. Any panel if absent. */
  panelId?: string;
  /** Not before this many ms from now, less than a minute. */
  afterMs?: number;
  /** If one of this kind is due in the lane and not started, returns that one's id instead. */
  unlessWaiting?: boolean;
}

/**
 * The outbox: a job is written in the transaction of the change that needs it and runs afterwards, at least once. Failed
 * jobs are retried after growing waits. Two panels on one database never hold the same job.
 */
export interface Jobs {
  handle<Payload>(kind: JobKind<Payload>, run: Run<Payload>, options?: { maxAttempts?: number }): void;
  /** Returns the job's id, for `settled`. */
  enqueue<Payload>(tx: Tx, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<string>;
  /** How many wait and how many fail, for operators. */
  status(): Promise<JobsStatus>;
  /** Deletes jobs given up long ago. */
  forgetOld(): Promise<void>;
  /** Waits until any panel has done these jobs; false if that took longer than `withinMs` or one failed. */
  settled(ids: readonly string[], withinMs: number): Promise<boolean>;
  start(): void;
  /** Stops claiming and waits for running jobs. */
  stop(): Promise<void>;
  /** Runs everything due until nothing is; for tests and the command line. */
  drain(): Promise<void>;
}

export interface JobsStatus {
  /** Not given up; `failing` of them have failed at least once. */
  waiting: number;
  failing: number;
  /** Given up. */
  failed: number;
  /** ms since 1970; null if none is due. */
  oldestDueAt: number | null;
  /** Kinds that fail or were given up, with each one's last error. */
  troubled: { kind: string; count: number; lastError: Reason | null }[];
}

type Row = JobTables["jobs"];
interface Handler {
  run: Run<never>;
  maxAttempts: number;
  underLease: boolean;
}

const LOCK_MS = 120_000;
const BATCH = 500;
/** For changes this panel is not notified of. On SQLite only the command line makes those, and each poll wakes an idle panel. */
const IDLE_LOOK_MS = { postgres: 1_000, sqlite: 5_000 };
const MAX_ATTEMPTS = 12;
/** Long enough for someone to ask what went wrong. */
const GIVEN_UP_KEPT_MS = 7 * DAY_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** 1 s, 2 s, 4 s … up to 15 min. */
export const retryWaitMs = (attempts: number) => Math.min(1_000 * 2 ** (attempts - 1), LONGEST_WAIT_MS);

/** Another panel queued work for this panel: for its own machine, or in a lane whose lease it holds. */
const WAITING = "jobs.waiting";
const DONE = "jobs.done";
const FAILED = "jobs.failed";

interface JobParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  log: Log;
  signals: Signals;
  heldLeases: Pick<HeldLeases, "holder" | "hold" | "holds">;
  panelId: string;
}

export function makeJobs({ db, transact, clock, log, signals, heldLeases, panelId }: JobParts): Jobs {
  const { holder } = heldLeases;
  const tables = (over: Db | Tx) => over.withTables<JobTables>();
  const handlers = new Map<string, Handler>();
  const busyLanes = new Set<string>();
  const running = new Set<Promise<void>>();
  // By job; several callers may wait for one.
  const waiting = new Map<string, Set<(id: string, done: boolean) => void>>();
  // Busy lanes that a claim skipped: jobs may be waiting there.
  const passedOver = new Set<string>();
  // Claimed by the insert that requested them, and not finished yet.
  const underWay = new Set<string>();
  // Claimed jobs whose lane is busy. Those left when the panel stops are released at the next start.
  const inHand = new Map<string, Row[]>();
  // Jobs interrupted by database trouble: the database still has them as running.
  const adrift = new Set<string>();
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  const told = (done: boolean) => (ids: readonly string[]) => {
    for (const id of ids) for (const hear of waiting.get(id) ?? []) hear(id, done);
  };
  signals.on(DONE, told(true));
  signals.on(FAILED, told(false));
  signals.on(WAITING, (names) => {
    if (started && names.some((name) => name === panelId || heldLeases.holds(name))) poke();
  });
  signals.onGap(() => {
    if (started) poke();
  });
  const logUnlessTold = (error: unknown, details: object, message: string) => {
    if (!isTroubled(error)) log.error({ err: error, ...details }, message);
  };

  const letGo = async () => {
    if (adrift.size === 0) return;
    const ids = [...adrift];
    await tables(db).updateTable("jobs").set({ locked_until: null }).where("id", "in", ids).execute();
    for (const id of ids) adrift.delete(id);
  };

  const claim = async (): Promise<Row[]> => {
    await letGo();
    const now = clock.now().getTime();
    const by = { ...momentsOf(now), panelId, holder };
    // Reads before it writes: an idle panel does not write to the disk every second.
    if ((await anyClaimable(db, by)).length === 0) return [];
    const busy = [...busyLanes];
    for (const lane of busy) passedOver.add(lane);
    const kinds = [...handlers.keys()];
    if (kinds.length === 0) return [];
    const free = claimable(db, by)
      .where("kind", "in", kinds)
      .$if(busy.length > 0, (query) => query.where("lane", "not in", busy));
    const others = await heldByOthers(free);
    const due = free
      .$if(others.length > 0, (query) => query.where("lane", "not in", others))
      .orderBy("run_at")
      .orderBy("created_at")
      .limit(BATCH);
    return tables(db)
      .updateTable("jobs")
      .set((e) => ({ locked_until: now + LOCK_MS, claimed_by: holder, attempts: e("attempts", "+", 1) }))
      .where("id", "in", isPostgres(db) ? due.modifyEnd(sql`for update of jobs skip locked`) : due)
      .returningAll()
      .execute();
  };

  /** Lanes of free jobs whose lease this panel needs and does not get. */
  const heldByOthers = async (free: ReturnType<typeof claimable>): Promise<string[]> => {
    const kinds = [...handlers].flatMap(([kind, { underLease }]) => (underLease ? [kind] : []));
    if (!isPostgres(db) || kinds.length === 0) return [];
    const wanted = await free.clearSelect().select("lane").distinct().where("kind", "in", kinds).execute();
    const held = await Promise.all(wanted.map(async ({ lane }) => (await heldLeases.hold(lane)) !== null));
    return wanted.flatMap(({ lane }, place) => (held[place] ? [] : [lane]));
  };

  const waitingIn = (tx: Tx, kind: string, lane: string, now: number) =>
    tables(tx)
      .selectFrom("jobs")
      .select("id")
      .where("kind", "=", kind)
      .where("lane", "=", lane)
      .where("failed_at", "is", null)
      .where("locked_until", "is", null)
      .where(isDue(momentsOf(now)))
      .executeTakeFirst();

  const finish = async (tx: Tx, rows: Row[]) => {
    const ids = rows.map((row) => row.id);
    for (const some of chunks(ids)) await deleteJobs(tx, some);
    signals.send(tx, DONE, ids);
  };

  const postpone = async (rows: Row[], handler: Handler, error: unknown) => {
    const now = clock.now().getTime();
    const why = reasonOf(error);
    for (const row of rows) {
      const givenUp = row.attempts >= handler.maxAttempts;
      log.warn({ job: row.kind, attempts: row.attempts, givenUp, reason: reasonLine(why, "en") }, "a job failed");
      await transact(async (tx) => {
        await tables(tx)
          .updateTable("jobs")
          .set({
            locked_until: null,
            last_error: why,
            run_at: now + retryWaitMs(row.attempts),
            failed_at: givenUp ? now : null,
          })
          .where("id", "=", row.id)
          .execute();
        signals.send(tx, FAILED, [row.id]);
      });
      pokeIn(retryWaitMs(row.attempts));
    }
  };

  /** For the panel that now has the lane's lease. This does not count as a try. */
  const leave = async (rows: Row[]) => {
    for (const some of chunks(rows))
      await transact(async (tx) => {
        await tables(tx)
          .updateTable("jobs")
          .set((e) => ({ locked_until: null, attempts: e("attempts", "-", 1) }))
          .where(
            "id",
            "in",
            some.map(({ id }) => id),
          )
          .where("claimed_by", "=", holder)
          .execute();
        signals.send(tx, WAITING, new Set(some.map(({ lane }) => lane)));
      });
  };

  const runKind = async (rows: Row[], handler: Handler) => {
    let hasEnded = false;
    const end = async (tx: Tx) => {
      await finish(tx, rows);
      afterCommit(tx, () => {
        hasEnded = true;
      });
    };
    try {
      await handler.run(
        rows.map((row) => JSON.parse(row.payload) as never),
        end,
      );
    } catch (error) {
      // Nothing is wrong with the job itself.
      if (isTroubled(error)) throw error;
      if (error instanceof TakenOver) return leave(rows);
      return postpone(rows, handler, error);
    }
    if (!hasEnded) await transact(end);
  };

  const runLane = async (rows: Row[]) => {
    const byKind = groupBy(rows, (row) => row.kind);
    for (const [kind, ofKind] of byKind) {
      const handler = handlers.get(kind);
      if (handler === undefined) continue;
      try {
        await runKind(ofKind, handler);
      } catch (error) {
        for (const { id } of ofKind) adrift.add(id);
        logUnlessTold(error, { job: kind }, "the job runner failed");
      }
    }
  };

  const look = async () => {
    do {
      lookAgain = false;
      const rows = await claim();
      for (const [lane, ofLane] of groupBy(rows, (row) => row.lane)) runInLane(lane, ofLane);
    } while (lookAgain);
  };

  const runInLane = (lane: string, rows: Row[]) => {
    // Claimed by an insert while another claim was under way.
    if (busyLanes.has(lane)) return void inHand.set(lane, [...(inHand.get(lane) ?? []), ...rows]);
    busyLanes.add(lane);
    const work = outsideRequests(() => runLane(rows))
      .catch((error: unknown) => logUnlessTold(error, { lane }, "the job runner failed"))
      .finally(() => {
        busyLanes.delete(lane);
        running.delete(work);
        const next = inHand.get(lane);
        inHand.delete(lane);
        for (const { id } of rows) underWay.delete(id);
        if (next !== undefined && started) runInLane(lane, next);
        if (passedOver.delete(lane) && started) poke();
      });
    running.add(work);
  };

  function poke() {
    lookAgain = true;
    looking ??= outsideRequests(look)
      .catch((error: unknown) => logUnlessTold(error, {}, "jobs could not be claimed"))
      .finally(() => {
        looking = null;
        if (started && lookAgain) poke();
      });
  }

  /** Seconds with a scheduled poll at their end: one serves all that is due by then. */
  const awaited = new Set<number>();
  function pokeIn(ms: number) {
    const second = Math.ceil((performance.now() + ms) / 1_000);
    if (awaited.has(second)) return;
    awaited.add(second);
    setTimeout(
      () => {
        awaited.delete(second);
        if (started) poke();
      },
      second * 1_000 - performance.now(),
    ).unref();
  }

  return {
    handle(kind, run, options) {
      const { name, underLease } = kind;
      handlers.set(name, { run, maxAttempts: options?.maxAttempts ?? MAX_ATTEMPTS, underLease });
    },
    async enqueue(tx, kind, job) {
      const now = clock.now().getTime();
      const lane = job.lane ?? kind.name;
      const waitingOne = job.unlessWaiting === true ? await waitingIn(tx, kind.name, lane, now) : undefined;
      if (waitingOne !== undefined) return waitingOne.id;
      const id = randomUUID();
      // Work on this panel's own machine that can start at once is claimed without a separate commit.
      const isNow = (job.afterMs ?? 0) === 0;
      const isElsewhere = kind.underLease && !heldLeases.holds(lane);
      const isOwn = job.panelId === panelId && handlers.has(kind.name) && !isElsewhere;
      const isClaimed = isNow && started && isOwn && !busyLanes.has(lane);
      const row = {
        id,
        kind: kind.name,
        lane,
        panel_id: job.panelId ?? null,
        payload: JSON.stringify(job.payload),
        run_at: now + (job.afterMs ?? 0),
        attempts: isClaimed ? 1 : 0,
        locked_until: isClaimed ? now + LOCK_MS : null,
        claimed_by: isClaimed ? holder : null,
        failed_at: null,
        last_error: null,
        created_at: now,
      };
      await insertJob(tx, row);
      if (isClaimed)
        afterCommit(tx, () => {
          underWay.add(id);
          runInLane(lane, [row]);
        });
      else if (job.panelId !== undefined && job.panelId !== panelId) signals.send(tx, WAITING, [job.panelId]);
      else {
        if (isElsewhere) signals.send(tx, WAITING, [lane]);
        afterCommit(tx, () => {
          if (!started) return;
          if (isNow) poke();
          else pokeIn(job.afterMs ?? 0);
        });
      }
      return id;
    },
    async status() {
      const rows = await tables(db)
        .selectFrom("jobs")
        .select(["kind", "last_error", "failed_at"])
        .select(({ fn }) => [fn.countAll().as("count"), fn.min("run_at").as("first")])
        .groupBy(["kind", "last_error", "failed_at"])
        .execute();
      const sum = (some: typeof rows) => some.reduce((all, { count }) => all + Number(count), 0);
      const waiting = rows.filter(({ failed_at }) => failed_at === null);
      const troubled = groupBy(
        rows.filter(({ last_error }) => last_error !== null),
        ({ kind }) => kind,
      );
      const due = waiting.map(({ first }) => Number(first)).filter((at) => at <= clock.now().getTime());
      return {
        waiting: sum(waiting),
        failing: sum(waiting.filter(({ last_error }) => last_error !== null)),
        failed: sum(rows) - sum(waiting),
        oldestDueAt: due.length === 0 ? null : Math.min(...due),
        troubled: [...troubled].map(([kind, some]) => ({
          kind,
          count: sum(some),
          lastError: some.at(-1)?.last_error ?? null,
        })),
      };
    },
    async forgetOld() {
      const before = clock.now().getTime() - GIVEN_UP_KEPT_MS;
      await tables(db).deleteFrom("jobs").where("failed_at", "<", before).execute();
    },
    async settled(ids, withinMs) {
      if (ids.length === 0) return true;
      const left = new Set(ids);
      let areDone = true;
      let timeout: NodeJS.Timeout | undefined;
      let hear = (_id: string, _done: boolean) => {};
      const answer = new Promise<boolean>((resolve) => {
        hear = (id, done) => {
          if (!left.delete(id)) return;
          areDone &&= done;
          if (left.size === 0) resolve(areDone);
        };
        timeout = setTimeout(() => resolve(false), withinMs);
      });
      for (const id of ids) waiting.set(id, (waiting.get(id) ?? new Set()).add(hear));
      try {
        // A job may have finished before anyone started to wait for it.
        const unknown = ids.filter((id) => !underWay.has(id));
        if (unknown.length > 0) {
          const open = await tables(db).selectFrom("jobs").select("id").where("id", "in", unknown).execute();
          const openIds = new Set(open.map((row) => row.id));
          for (const id of unknown) if (!openIds.has(id)) hear(id, true);
        }
        return await answer;
      } finally {
        clearTimeout(timeout);
        for (const id of ids) {
          waiting.get(id)?.delete(hear);
          if (waiting.get(id)?.size === 0) waiting.delete(id);
        }
      }
    },
    start() {
      started = true;
      timer = setInterval(poke, IDLE_LOOK_MS[isPostgres(db) ? "postgres" : "sqlite"]);
      poke();
    },
    async stop() {
      started = false;
      clearInterval(timer);
      await looking;
      await Promise.allSettled(running);
    },
    async drain() {
      for (;;) {
        await looking;
        const rows = await claim();
        // A timed poll may have claimed what was due meanwhile, or database trouble may have interrupted it.
        if (rows.length === 0 && running.size === 0 && looking === null && adrift.size === 0) return;
        for (const ofLane of groupBy(rows, (row) => row.lane).values()) await runLane(ofLane);
        await Promise.allSettled(running);
      }
    },
  };
}

/** One panel takes over jobs waiting for another that will not come back. */
export async function takeOverJobs(tx: Tx, fromPanelId: string, panelId: string): Promise<void> {
  await tx
    .withTables<JobTables>()
    .updateTable("jobs")
    .set({ panel_id: panelId, locked_until: null })
    .where("panel_id", "=", fromPanelId)
    .execute();
}

/**
 * A job scheduled further ahead than any retry was written under a clock that has since been corrected. Untried jobs are never
 * scheduled ahead, so for them any time beyond the skew means this.
 */
const isDue =
  ({ now, tooFarUntried, tooFar }: Moments) =>
  (e: ExpressionBuilder<JobTables, "jobs">) =>
    e.or([
      e("run_at", "<=", now),
      e.and([e("attempts", "=", 0), e("run_at", ">", tooFarUntried)]),
      e("run_at", ">", tooFar),
    ]);

const momentsOf = (now: number) => ({
  now,
  tooFarUntried: now + HONEST_SKEW_MS,
  tooFar: now + LONGEST_WAIT_MS + HONEST_SKEW_MS,
  lockedTooFar: now + LOCK_MS + HONEST_SKEW_MS,
});
type Moments = ReturnType<typeof momentsOf>;

type Claimant = Moments & { panelId: string; holder: string };

/** Ids of jobs that are due for a panel and not running. */
function claimable(db: Db | Tx, by: Claimant) {
  const due = db
    .withTables<JobTables>()
    .selectFrom("jobs")
    .select("id")
    .where("failed_at", "is", null)
    .where(isDue(by))
    .where((e) => e.or([e("panel_id", "is", null), e("panel_id", "=", by.panelId)]));
  const unclaimed = (e: ExpressionBuilder<JobTables, "jobs">) => [
    e("locked_until", "is", null),
    e("locked_until", "<", by.now),
    e("locked_until", ">", by.lockedTooFar),
  ];
  if (!isPostgres(db)) return due.where((e) => e.or(unclaimed(e)));
  // The holder of a lane's lease has its jobs: no other panel claims them, and what the previous holder claimed is free.
  return due
    .leftJoin("leases", "leases.name", "jobs.lane")
    .where((e) => e.or([e("holder", "is", null), e("holder", "=", by.holder), e("expires_at", "<=", DATABASE_NOW)]))
    .where((e) => e.or([...unclaimed(e), e("claimed_by", "<>", e.ref("holder")), e("expires_at", "<=", DATABASE_NOW)]));
}
const deleteJobs = preparedForList((db, ids) => db.withTables<JobTables>().deleteFrom("jobs").where("id", "in", ids));
const insertJob = preparedForRow<JobTables["jobs"]>((tx, row) =>
  tx.withTables<JobTables>().insertInto("jobs").values(row),
);
const anyClaimable = prepared((db, by: Claimant) => claimable(db, by).limit(1));

/** Unlocks this panel's own jobs after a crash; called once at start. */
export async function releaseOwnJobs(transact: Transact, panelId: string): Promise<void> {
  await transact((tx) =>
    tx
      .withTables<JobTables>()
      .updateTable("jobs")
      .set({ locked_until: null })
      .where("panel_id", "=", panelId)
      .execute(),
  );
}
