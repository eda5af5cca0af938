import { AsyncLocalStorage } from "node:async_hooks";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  sql,
  type Transaction,
} from "kysely";
import { DatabaseTrouble, inOurWords, isTroubled, makeStanding, type Trouble } from "./trouble.ts";

/** For reads. A feature adds its tables with `db.withTables<...>()`. */
export type Db = Kysely<object>;

declare const insideTransaction: unique symbol;
/** For writes: only `transact` hands one out. */
export type Tx = Transaction<object> & { readonly [insideTransaction]: true };

export type Transact = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export interface Database {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /**
   * One transaction. Inside it only `tx` may be used and nothing on the network is awaited; `db` in there throws.
   * Deadlocks and serialization failures are tried again, so `work` must have no effect but on `tx`.
   * @throws DatabaseTrouble while the database cannot serve, Refusal `database.busy` where it takes too long
   */
  readonly transact: Transact;
  /** Brings SQLite's log into the file, which is then whole by itself; nothing to do on PostgreSQL. */
  foldLog(): Promise<void>;
  /** Why it cannot serve now; null while it can. */
  trouble(): Trouble | null;
  /** Has it watched until it is closed. Without that a silent server is noticed by nobody. */
  attend(attendant: Attendant): Promise<void>;
  close(): Promise<void>;
}

/** Who is told how the database is, and what is said through it. */
export interface Attendant {
  /** Its trouble began or changed; null: it is over. */
  trouble(now: Trouble | null): void;
  /** What somebody said with `sayAround`, oneself too. */
  heard(message: string): void;
  /** It was away: what was said meanwhile was not heard. */
  missed(): void;
}

/** The connection that is held all the time: it says whether the server answers, and hears what is said. */
export interface Line {
  open(told: { up(): void; down(): void; heard(message: string): void }): Promise<void>;
  close(): Promise<void>;
  /** Gives up what waits for a server that does not answer. */
  abandon(): void;
}

const transaction = new AsyncLocalStorage<true>();
const effects = new WeakMap<object, { before: (() => Promise<void>)[]; after: (() => void)[] }>();

function effectsOf(tx: Tx) {
  const found = effects.get(tx);
  if (found === undefined) throw new Error("only the tx that transact gave has effects");
  return found;
}

/** Runs as the transaction's last work: what others write together with it is gathered first. */
export const beforeCommit = (tx: Tx, work: () => Promise<void>): void => void effectsOf(tx).before.push(work);

/** Runs after the transaction has been committed; not at all when it is rolled back. */
export const afterCommit = (tx: Tx, effect: () => void): void => void effectsOf(tx).after.push(effect);

export const isPostgres = (db: Db | Tx) => db.getExecutor().adapter instanceof PostgresAdapter;

/** For `$call` on a select: locks its rows until the transaction ends. SQLite has one writer, so nothing is needed there. */
export const lockRows =
  (tx: Tx) =>
  <Query extends { forUpdate(): Query }>(query: Query): Query =>
    isPostgres(tx) ? query.forUpdate() : query;

/** The same of those alone that nobody else holds just now, without waiting. */
export const lockFreeRows =
  (tx: Tx) =>
  <Query extends { forUpdate(): Query; skipLocked(): Query }>(query: Query): Query =>
    isPostgres(tx) ? query.forUpdate().skipLocked() : query;

/**
 * Keeps everyone else who asks for this name waiting until the transaction ends: for changes that no row's lock can keep
 * apart, as a rename to a name that another one is just taking. SQLite has one writer, so nothing is needed there.
 */
export async function lockPlace(tx: Tx, name: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(tx);
}

const CHANNEL = "krug";

/** Says this to every panel on the database once the transaction is committed, at most 8,000 bytes each; SQLite has one panel. */
export async function sayAround(tx: Tx, messages: readonly string[]): Promise<void> {
  if (isPostgres(tx) && messages.length > 0)
    await sql`select pg_notify(${CHANNEL}, said) from unnest(${messages}::text[]) said`.execute(tx);
}

export const LISTEN = `listen ${CHANNEL}`;

/** Deadlock or serialization failure: PostgreSQL asks to try again. */
const mayRetry = (error: unknown) => ["40001", "40P01"].includes((error as { code?: string }).code ?? "");

/** For a command line beside the panel: whoever closes last empties the log. */
const LAST_WAIT_MS = 500;

export function makeDatabase(engine: Database["engine"], dialect: Dialect, begin: string, line?: Line): Database {
  const standing = makeStanding();
  const acquiring = new Set<() => void>();
  const db: Db = new Kysely<object>({ dialect: guarded(dialect, begin, standing, acquiring) });
  const once = async <Result>(work: (tx: Tx) => Promise<Result>) => {
    const own = { before: [] as (() => Promise<void>)[], after: [] as (() => void)[] };
    const result = await db.transaction().execute((tx) => {
      effects.set(tx, own);
      return transaction.run(true, async () => {
        const result = await work(tx as Tx);
        for (const last of own.before) await last();
        return result;
      });
    });
    for (const effect of own.after) effect();
    return result;
  };
  // Emptied at the end: a log that stayed would be read into whatever copy is put in the file's place.
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
      // It waits for nobody: what a reader still needs is left to the next time.
      if (engine === "sqlite") await sql`pragma wal_checkpoint(passive)`.execute(db);
    },
    async transact(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work);
        } catch (error) {
          if (!mayRetry(error) || attempt === 5) throw error;
        }
      }
    },
    trouble: standing.now,
    async attend({ trouble, heard, missed }) {
      standing.onChange(trouble);
      let wasUp = false;
      await line?.open({
        heard,
        up() {
          standing.away(false);
          if (wasUp) missed();
          wasUp = true;
        },
        down() {
          standing.away(true);
          for (const giveUp of acquiring) giveUp();
          line.abandon();
        },
      });
    },
    close() {
      const end = async () => {
        await line?.close();
        await emptyLog().finally(() => db.destroy());
      };
      closed ??= end();
      return closed;
    },
  };
}

/**
 * The dialect with our way to begin, its errors in our words, and a guard against `db` inside a transaction: it would wait
 * for itself or read past it. While the server is away nobody waits for a connection.
 */
function guarded(
  dialect: Dialect,
  begin: string,
  standing: ReturnType<typeof makeStanding>,
  acquiring: Set<() => void>,
): Dialect {
  const known = new WeakSet<DatabaseConnection>();
  const translating = (connection: DatabaseConnection) => {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      try {
        const result = await execute<Row>(query);
        if ((result.numAffectedRows ?? 0n) > 0n) standing.written();
        return result;
      } catch (error) {
        const ours = inOurWords(error);
        if (isTroubled(ours) && ours.kind === "full") standing.full();
        throw ours;
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
      driver.acquireConnection = (...args) => {
        if (transaction.getStore() === true) throw new Error("db was used inside transact: use tx there");
        if (standing.now() === "away") throw new DatabaseTrouble("away");
        return new Promise((resolve, reject) => {
          const giveUp = () => {
            acquiring.delete(giveUp);
            reject(new DatabaseTrouble("away"));
          };
          acquiring.add(giveUp);
          acquire(...args).then(
            (connection) => {
              if (acquiring.delete(giveUp)) resolve(translating(connection));
              else void driver.releaseConnection(connection);
            },
            (error: unknown) => {
              acquiring.delete(giveUp);
              reject(inOurWords(error));
            },
          );
        });
      };
      driver.beginTransaction = async (connection: DatabaseConnection) => {
        await connection.executeQuery(CompiledQuery.raw(begin));
      };
      driver.commitTransaction = (connection) =>
        commit(connection).catch((error: unknown) => {
          throw isTroubled(error) && error.kind === "away" ? new DatabaseTrouble("uncertain") : error;
        });
      // What it is rolled back for is what counts, and a connection that is lost rolls back by itself.
      driver.rollbackTransaction = (connection) => rollback(connection).catch(() => {});
      return driver;
    },
  };
}
