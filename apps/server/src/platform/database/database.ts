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
   */
  readonly transact: Transact;
  /** Brings SQLite's log into the file, which is then whole by itself; nothing to do on PostgreSQL. */
  foldLog(): Promise<void>;
  close(): Promise<void>;
}

const transaction = new AsyncLocalStorage<true>();
const afterCommits = new WeakMap<object, (() => void)[]>();

/** Runs after the transaction has been committed; not at all when it is rolled back. */
export function afterCommit(tx: Tx, effect: () => void): void {
  const effects = afterCommits.get(tx);
  if (effects === undefined) throw new Error("afterCommit takes the tx that transact gave");
  effects.push(effect);
}

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

/** Deadlock or serialization failure: PostgreSQL asks to try again. */
const mayRetry = (error: unknown) => ["40001", "40P01"].includes((error as { code?: string }).code ?? "");

/** For a command line beside the panel: whoever closes last empties the log. */
const LAST_WAIT_MS = 500;

export function makeDatabase(engine: Database["engine"], dialect: Dialect, begin: string): Database {
  const db: Db = new Kysely<object>({ dialect: guarded(dialect, begin) });
  const once = <Result>(work: (tx: Tx) => Promise<Result>) => {
    const effects: (() => void)[] = [];
    return db
      .transaction()
      .execute((tx) => {
        afterCommits.set(tx, effects);
        return transaction.run(true, () => work(tx as Tx));
      })
      .then((result) => {
        for (const effect of effects) effect();
        return result;
      });
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
    close() {
      closed ??= emptyLog().finally(() => db.destroy());
      return closed;
    },
  };
}

/** The dialect with our way to begin, and a guard against `db` inside a transaction: it would wait for itself or read past it. */
function guarded(dialect: Dialect, begin: string): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = (...args) => {
        if (transaction.getStore() === true) throw new Error("db was used inside transact: use tx there");
        return acquire(...args);
      };
      driver.beginTransaction = async (connection: DatabaseConnection) => {
        await connection.executeQuery(CompiledQuery.raw(begin));
      };
      return driver;
    },
  };
}
