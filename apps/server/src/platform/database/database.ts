import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  sql,
  type Transaction,
} from "kysely";
import { Refusal } from "../refusal.ts";
import { letOthersIn } from "./chunks.ts";
import { makeRetry } from "./conflict.ts";
import { makeFolding } from "./fold-log.ts";
import type { LogHeader } from "./log-header.ts";
import { makePace } from "./pace.ts";
import {
  busy,
  DatabaseTrouble,
  inOurWords,
  isPoolTimeout,
  isTroubled,
  makeTroubleTracker,
  type Trouble,
} from "./trouble.ts";

/** For reads. A feature adds its tables with `db.withTables<...>()`. */
export type Db = Kysely<object>;

declare const insideTransaction: unique symbol;
/** For writes: only `transact` provides one. */
export type Tx = Transaction<object> & { readonly [insideTransaction]: true };

/**
 * `commit: "asynchronous"`: does not wait for the disk, so a power cut may undo it together with later asynchronous commits; the
 * next ordinary commit makes it durable. Only for notes that can be recreated from durable data. On PostgreSQL it changes
 * nothing.
 */
export type Transact = <Result>(
  work: (tx: Tx) => Promise<Result>,
  options?: { commit?: "asynchronous" },
) => Promise<Result>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /**
   * One transaction. Inside it use only `tx` and await nothing on the network; using `db` there throws. Deadlocks and
   * serialization failures are retried, so `work` must have no effect except through `tx`.
   * @throws DatabaseTrouble while the database cannot serve, Refusal `database.busy` if it takes too long, `database.conflict`
   * if others are in its way each time
   */
  readonly transact: Transact;
  /** Checkpoints SQLite's log into the file, which is then complete on its own; does nothing on PostgreSQL. */
  foldLog(): Promise<void>;
  /** Why it cannot serve now; null while it can. */
  trouble(): Trouble | null;
  /** Whether it serves now. Does not queue: many callers waiting for a slow disk do not mean that it is gone. */
  answers(): Promise<boolean>;
  /** The longest recent commit, ms, if its disk is slow; otherwise null. */
  slow(): number | null;
  /** Watches the database until it is closed. Without this a silent server goes unnoticed. */
  attend(attendant: Attendant): Promise<void>;
  close(): Promise<void>;
}

/** Receives the database's state and the messages sent through it. */
export interface Attendant {
  /** Trouble started or changed; null: it is over. */
  trouble(now: Trouble | null): void;
  /** Its disk became slow: a commit took this many ms. Null: it is fast again. */
  slow(longestMs: number | null): void;
  /** A message sent with `sayAround`, including this panel's own. */
  heard(message: string): void;
  /** It was away: messages sent meanwhile are lost. */
  missed(): void;
}

/** The connection that is always open: it shows whether the server answers, and receives messages. */
export interface Line {
  open(told: { up(): void; down(): void; heard(message: string): void }): Promise<void>;
  close(): Promise<void>;
  /** Drops whatever waits for a server that does not answer. */
  abandon(): void;
}

/** Runs a read statement and returns its rows synchronously. */
export type ReadNow = (sql: string, parameters: readonly unknown[]) => unknown[];

const transaction = new AsyncLocalStorage<true>();

/** @throws Error inside a transaction, where `db` would wait for itself or miss its writes */
export function refuseInsideTransact(): void {
  if (transaction.getStore() === true) throw new Error("db was used inside transact: use tx there");
}
const effects = new WeakMap<object, { before: (() => Promise<void>)[]; after: (() => void)[] }>();
const connections = new WeakMap<object, DatabaseConnection>();

/** A transaction's own connection, where statements cost half of what they do through Kysely; undefined outside of one. */
export const connectionOf = (db: Db | Tx): DatabaseConnection | undefined => connections.get(db);

/** SQLite's one connection while it is free. */
export interface DirectReader {
  /** Synchronous, so nobody else can take the connection meanwhile, and costs a third of a read through Kysely. */
  read: ReadNow;
  /** The same object as long as nobody, in this or another process, has changed the database. */
  state(): object;
  /** Whether `state` would answer this object. Cheaper, for code that needs to know only once in a run of JavaScript. */
  isStill(state: object): boolean;
}

const readers = new WeakMap<object, () => DirectReader | undefined>();

/** Undefined if a statement would have to wait for a connection, and on a transaction. */
export const readerOf = (db: Db | Tx): DirectReader | undefined => readers.get(db)?.();

function effectsOf(tx: Tx) {
  const found = effects.get(tx);
  if (found === undefined) throw new Error("only the tx that transact gave has effects");
  return found;
}

/** Runs as the transaction's last step, for collecting what several writers add. */
export const beforeCommit = (tx: Tx, work: () => Promise<void>): void => void effectsOf(tx).before.push(work);

/** Runs after the commit; not at all after a rollback. */
export const afterCommit = (tx: Tx, effect: () => void): void => void effectsOf(tx).after.push(effect);

const SAVEPOINT = CompiledQuery.raw("savepoint until_refused");

/** A refusal by the club's rules. The database's own refusals only mean that nothing was decided. */
const isDecision = (error: unknown): error is Refusal =>
  error instanceof Refusal && !isTroubled(error) && error.code !== "database.busy";

/**
 * Runs the last step of a transaction. A refusal is returned, not thrown: it rolls back what `work` wrote, and earlier writes are
 * still committed.
 */
export async function untilRefused<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result | Refusal> {
  const own = effectsOf(tx);
  const known = { before: own.before.length, after: own.after.length };
  await tx.executeQuery(SAVEPOINT);
  try {
    return await work();
  } catch (error) {
    if (!isDecision(error)) throw error;
    await sql`rollback to savepoint until_refused`.execute(tx);
    own.before.length = known.before;
    own.after.length = known.after;
    return error;
  }
}

export const isPostgres = (db: Db | Tx) => db.getExecutor().adapter instanceof PostgresAdapter;

/** For `$call` on a select: locks its rows until the transaction ends. SQLite has one writer, so it needs nothing here. */
export const lockRows =
  (tx: Tx) =>
  <Query extends { forUpdate(): Query }>(query: Query): Query =>
    isPostgres(tx) ? query.forUpdate() : query;

/** The same, but skips rows locked by others instead of waiting. */
export const lockFreeRows =
  (tx: Tx) =>
  <Query extends { forUpdate(): Query; skipLocked(): Query }>(query: Query): Query =>
    isPostgres(tx) ? query.forUpdate().skipLocked() : query;

/**
 * Serializes transactions that lock the same name, until each ends: for conflicts no row lock can prevent, such as two renames to
 * one name. SQLite has one writer, so it needs nothing here.
 */
export async function lockPlace(tx: Tx, name: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx);
}

/** The same for several names, in their own order, so that overlapping locks cannot deadlock. */
export async function lockPlaces(tx: Tx, names: readonly string[]): Promise<void> {
  if (isPostgres(tx) && names.length > 0)
    await sql`select pg_advisory_xact_lock(hashtext(name)) from unnest(${[...names].sort()}::text[]) name`.execute(tx);
}

const CHANNEL = "krug";

/** Sends this to every panel on the database after the commit, at most 8,000 bytes each; SQLite has only one panel. */
export async function sayAround(tx: Tx, messages: readonly string[]): Promise<void> {
  if (isPostgres(tx) && messages.length > 0)
    await sql`select pg_notify(${CHANNEL}, said) from unnest(${messages}::text[]) said`.execute(tx);
}

export const LISTEN = `listen ${CHANNEL}`;

/** For a command line next to the panel: whichever closes last checkpoints the log. */
const LAST_WAIT_MS = 500;
/** For callers that ask whether the database serves. */
const ANSWERS_WITHIN_MS = 2_000;
/** No statement uses SQLite's connection that long. */
const STUCK_MS = 30_000;

/** `readNow`: only for an engine with a single connection. */
export function makeDatabase(
  engine: Database["engine"],
  dialect: Dialect,
  begin: string,
  { line, readNow, logHeader = null }: { line?: Line; readNow?: ReadNow; logHeader?: LogHeader | null },
): Database {
  const tracker = makeTroubleTracker();
  const pace = makePace();
  const retry = makeRetry();
  const acquiring = new Set<() => void>();
  const use: ConnectionUse = { held: 0, taken: 0, takenAt: 0, isClosed: false };
  const blocks = readNow !== undefined;
  const db: Db = new Kysely<object>({ dialect: guarded(dialect, { begin, tracker, pace, acquiring, use, blocks }) });
  const reader = readNow && makeDirectReader(readNow, { tracker, use, logHeader });
  if (reader !== undefined) readers.set(db, () => (use.held === 0 && !use.isClosed ? reader : undefined));
  const answered = async (): Promise<boolean> => {
    if (reader === undefined) {
      const asked = sql`select 1`.execute(db).then(() => true);
      // The server's watcher knows better than a queue for its connections.
      return Promise.race([asked, wait(ANSWERS_WITHIN_MS, tracker.isWatched(), { ref: false })]);
    }
    // Someone is being served right now, unless it has been the same caller for too long.
    if (use.held > 0) return performance.now() - use.takenAt < STUCK_MS;
    reader.read("select 1", []);
    return true;
  };
  const once = async <Result>(work: (tx: Tx) => Promise<Result>, commit?: "asynchronous") => {
    const own = { before: [] as (() => Promise<void>)[], after: [] as (() => void)[] };
    const transactOn = (connection: Db) =>
      connection.transaction().execute(async (tx) => {
        effects.set(tx, own);
        connections.set(tx, await tx.getExecutor().provideConnection(async (mine) => mine));
        return transaction.run(true, async () => {
          const result = await work(tx as Tx);
          for (const last of own.before) await last();
          return result;
        });
      });
    const result = await (commit === "asynchronous" && engine === "sqlite" ? unforced(db, transactOn) : transactOn(db));
    for (const effect of own.after) effect();
    folding?.written();
    return result;
  };
  // Does not wait: pages that a reader still needs are left for the next time.
  const foldLog = () => sql`pragma wal_checkpoint(passive)`.execute(db);
  const folding = logHeader === null ? null : makeFolding({ pages: logHeader.pages, fold: foldLog });
  // Checkpointed at the end: SQLite would replay a leftover log into any copy put in the file's place.
  const emptyLog = async () => {
    if (engine !== "sqlite") return;
    await sql.raw(`pragma busy_timeout = ${LAST_WAIT_MS}`).execute(db);
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  };
  let closed: Promise<void> | undefined;
  return {
    engine,
    db,
    async foldLog() {
      if (engine === "sqlite") await foldLog();
    },
    // Work that a stop has left behind.
    transact: async (work, { commit } = {}) => {
      if (closed !== undefined) throw new DatabaseTrouble("away");
      return retry(() => once(work, commit));
    },
    trouble: tracker.now,
    answers: async () => !use.isClosed && tracker.now() === null && (await answered().catch(() => false)),
    slow: pace.longest,
    async attend({ trouble, slow, heard, missed }) {
      tracker.watch(trouble);
      pace.watch(slow);
      let wasUp = false;
      await line?.open({
        heard,
        up() {
          tracker.away(false);
          if (wasUp) missed();
          wasUp = true;
        },
        down() {
          tracker.away(true);
          for (const giveUp of acquiring) giveUp();
          line.abandon();
        },
      });
    },
    close() {
      const end = async () => {
        folding?.stop();
        await line?.close();
        await emptyLog().finally(() => db.destroy());
      };
      closed ??= end();
      return closed;
    },
  };
}

const UNFORCED = CompiledQuery.raw("pragma synchronous = normal");
const FORCED = CompiledQuery.raw("pragma synchronous = full");

/** SQLite reads this setting when a transaction starts, so nothing else may come in between. */
const unforced = <Result>(db: Db, work: (connection: Db) => Promise<Result>): Promise<Result> =>
  db.connection().execute(async (connection) => {
    await connection.executeQuery(UNFORCED);
    try {
      return await work(connection);
    } finally {
      await connection.executeQuery(FORCED);
    }
  });

interface ConnectionUse {
  /** How many connections are in use or requested. */
  held: number;
  /** How often one was taken: only then can something have been written. */
  taken: number;
  /** When one was last taken, by performance.now(). */
  takenAt: number;
  isClosed: boolean;
}

/** How often any connection of this process was taken or given back. */
let usesHere = 0;

function makeDirectReader(
  readNow: ReadNow,
  { tracker, use, logHeader }: Pick<Guarding, "tracker" | "use"> & { logHeader: LogHeader | null },
): DirectReader {
  const read: ReadNow = (sql, parameters) => {
    refuseInsideTransact();
    try {
      return readNow(sql, parameters);
    } catch (error) {
      throw tracker.failed(error);
    }
  };
  let last = { taken: use.taken, version: Number.NaN };
  let askedAt = Number.NaN;
  const ask = () => {
    if (logHeader?.isSame() !== true) {
      // SQLite's count of commits through any other connection.
      const [found] = read("pragma data_version", []) as { data_version: number }[];
      const version = found?.data_version ?? Number.NaN;
      if (last.version !== version) last = { taken: use.taken, version };
      logHeader?.accept();
    }
    // Holds for the rest of this run of JavaScript: any call that it answers had arrived before, so may be answered as of now.
    askedAt = usesHere;
    process.nextTick(() => {
      askedAt = Number.NaN;
    });
  };
  const state = () => {
    refuseInsideTransact();
    if (askedAt !== usesHere) ask();
    if (last.taken !== use.taken) last = { taken: use.taken, version: last.version };
    return last;
  };
  return {
    read,
    state,
    isStill: (known) => {
      const isLast = known === last && last.taken === use.taken;
      return isLast && (logHeader?.isSame() === true || state() === known);
    },
  };
}

interface Guarding {
  begin: string;
  tracker: ReturnType<typeof makeTroubleTracker>;
  pace: ReturnType<typeof makePace>;
  acquiring: Set<() => void>;
  use: ConnectionUse;
  /** A statement blocks everything else in this process. */
  blocks: boolean;
}

/** A statement that blocked everything else for this long is followed by a pause. */
const LONG_MS = 20;
const PAUSE_PART = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * After a statement that waited for the disk: those queued for the connection would follow one right after the other, and every
 * other call would wait for all of them.
 */
const pauseAfter = async (ms: number): Promise<void> => {
  if (ms < LONG_MS) return;
  // Timers count from the last turn of the event loop, which was before the statement.
  await letOthersIn();
  await wait(Math.min(ms / PAUSE_PART, LONGEST_PAUSE_MS));
};

/**
 * The dialect with our `begin`, its errors translated, and a guard against `db` inside a transaction, where it would wait for
 * itself or read stale data. While the server is away nothing waits for a connection.
 */
function guarded(dialect: Dialect, { begin, tracker, pace, acquiring, use, blocks }: Guarding): Dialect {
  const known = new WeakSet<DatabaseConnection>();
  const translating = (connection: DatabaseConnection) => {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      const startedAt = performance.now();
      try {
        const result = await execute<Row>(query);
        if (blocks) await pauseAfter(performance.now() - startedAt);
        if ((result.numAffectedRows ?? 0n) > 0n) tracker.written();
        return result;
      } catch (error) {
        throw tracker.failed(error);
      }
    };
    return connection;
  };
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      const commit = driver.commitTransaction.bind(driver);
      const rollback = driver.rollbackTransaction.bind(driver);
      const release = driver.releaseConnection.bind(driver);
      const destroy = driver.destroy.bind(driver);
      driver.acquireConnection = (...args) => {
        refuseInsideTransact();
        if (tracker.now() === "away") throw new DatabaseTrouble("away");
        return new Promise((resolve, reject) => {
          const giveUp = () => {
            acquiring.delete(giveUp);
            reject(new DatabaseTrouble("away"));
          };
          acquiring.add(giveUp);
          use.held++;
          use.taken++;
          usesHere++;
          acquire(...args).then(
            (connection) => {
              use.takenAt = performance.now();
              if (acquiring.delete(giveUp)) resolve(translating(connection));
              else void driver.releaseConnection(connection);
            },
            (error: unknown) => {
              use.held--;
              acquiring.delete(giveUp);
              reject(tracker.isWatched() && isPoolTimeout(error) ? busy(error) : inOurWords(error));
            },
          );
        });
      };
      driver.releaseConnection = (connection) => {
        use.held--;
        usesHere++;
        return release(connection);
      };
      driver.destroy = () => {
        use.isClosed = true;
        return destroy();
      };
      driver.beginTransaction = async (connection: DatabaseConnection) => {
        await connection.executeQuery(CompiledQuery.raw(begin));
      };
      driver.commitTransaction = async (connection) => {
        const startedAt = performance.now();
        try {
          await commit(connection);
        } catch (error) {
          throw isTroubled(error) && error.kind === "away" ? new DatabaseTrouble("uncertain") : error;
        } finally {
          pace.committed(performance.now() - startedAt);
        }
      };
      // The original failure is what counts, and a lost connection rolls back by itself.
      driver.rollbackTransaction = (connection) => rollback(connection).catch(() => {});
      return driver;
    },
  };
}
