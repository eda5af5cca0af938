import { isPostgres } from "../database/database.ts";
import { isTroubled } from "../database/trouble.ts";
import { groupBy } from "../group-by.ts";
import { outsideRequests } from "../http/current-request.ts";
import { retryWaitMs } from "../jobs.ts";
import { claimJobs, type Lanes } from "./claim-jobs.ts";
import { type Handlers, type JobParts, WAITING } from "./parts.ts";
import { runBatch } from "./run-batch.ts";
import { type JobRow, jobTables } from "./table.ts";

/** For changes this panel is not notified of. On SQLite only the command line makes those, and each poll wakes an idle panel. */
const IDLE_LOOK_MS = { postgres: 1_000, sqlite: 5_000 };

export type JobRunner = ReturnType<typeof makeJobRunner>;

/** Claims jobs that are due and runs them, lanes side by side. */
export function makeJobRunner(parts: JobParts, handlers: Handlers) {
  const { db, log, signals, heldLeases, panelId } = parts;
  const lanes: Lanes = { busy: new Set(), passedOver: new Set() };
  const running = new Set<Promise<void>>();
  // Claimed by the insert that requested them, and not finished yet.
  const underWay = new Set<string>();
  // Claimed jobs whose lane is busy. Those left when the panel stops are released at the next start.
  const inHand = new Map<string, JobRow[]>();
  // Jobs interrupted by database trouble: the database still has them as running.
  const adrift = new Set<string>();
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

  signals.on(WAITING, (names) => {
    if (names.some((name) => name === panelId || heldLeases.holds(name))) poke();
  });
  signals.onGap(poke);
  const logUnlessTroubled = (error: unknown, details: object, message: string) => {
    if (!isTroubled(error)) log.error({ err: error, ...details }, message);
  };

  const claim = async () => {
    await releaseAdrift();
    return claimJobs(parts, handlers, lanes);
  };

  const releaseAdrift = async () => {
    if (adrift.size === 0) return;
    const ids = [...adrift];
    await jobTables(db).updateTable("jobs").set({ locked_until: null }).where("id", "in", ids).execute();
    for (const id of ids) adrift.delete(id);
  };

  const run = async (rows: JobRow[]) => {
    const outcome = await runBatch(parts, handlers, rows);
    for (const { id } of outcome.adrift) adrift.add(id);
    for (const { attempts } of outcome.postponed) pokeIn(retryWaitMs(attempts));
  };

  const runInLane = (lane: string, rows: JobRow[]) => {
    // Claimed by an insert while another claim was under way.
    if (lanes.busy.has(lane)) return void inHand.set(lane, [...(inHand.get(lane) ?? []), ...rows]);
    lanes.busy.add(lane);
    const work = outsideRequests(() => run(rows))
      .catch((error: unknown) => logUnlessTroubled(error, { lane }, "the job runner failed"))
      .finally(() => {
        lanes.busy.delete(lane);
        running.delete(work);
        const next = inHand.get(lane);
        inHand.delete(lane);
        for (const { id } of rows) underWay.delete(id);
        if (next !== undefined && isRunning) runInLane(lane, next);
        if (lanes.passedOver.delete(lane)) poke();
      });
    running.add(work);
  };

  const look = async () => {
    do {
      lookAgain = false;
      for (const [lane, rows] of groupBy(await claim(), (row) => row.lane)) runInLane(lane, rows);
    } while (lookAgain);
  };

  function poke() {
    if (!isRunning) return;
    lookAgain = true;
    looking ??= outsideRequests(look)
      .catch((error: unknown) => logUnlessTroubled(error, {}, "jobs could not be claimed"))
      .finally(() => {
        looking = null;
        if (lookAgain) poke();
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
        poke();
      },
      second * 1_000 - performance.now(),
    ).unref();
  }

  return {
    /** Whether a job of this lane could start at once. */
    isFree: (lane: string) => isRunning && !lanes.busy.has(lane),
    /** Runs a job that its own insert has claimed. */
    runClaimed(row: JobRow) {
      underWay.add(row.id);
      runInLane(row.lane, [row]);
    },
    /** Whether it is such a job, and not finished. */
    isUnderWay: (id: string) => underWay.has(id),
    lookIn(ms: number) {
      if (!isRunning) return;
      if (ms === 0) poke();
      else pokeIn(ms);
    },
    start() {
      isRunning = true;
      timer = setInterval(poke, IDLE_LOOK_MS[isPostgres(db) ? "postgres" : "sqlite"]);
      poke();
    },
    async stop() {
      isRunning = false;
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
        for (const ofLane of groupBy(rows, (row) => row.lane).values()) await run(ofLane);
        await Promise.allSettled(running);
      }
    },
  };
}
