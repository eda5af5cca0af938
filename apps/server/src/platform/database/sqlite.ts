import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { SqliteDialect, type SqliteStatement } from "kysely";
import { makeFolder } from "../file-trouble.ts";
import { type Database, makeDatabase, type ReadNow } from "./database.ts";
import { countHandle, openLogHeader } from "./log-header.ts";

type Statement = {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): SqliteRunResult;
  iterate(...values: unknown[]): IterableIterator<unknown>;
  /** Newer than the rest of the API, so it may be missing. */
  setReturnArrays?(on: boolean): void;
  columns?(): { name: string }[];
};
type SqliteRunResult = { changes: number | bigint; lastInsertRowid: number | bigint };
export type Sqlite = {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
};

type Library = { DatabaseSync: new (path: string, options: { readOnly?: boolean }) => Sqlite };
let library: Promise<Library> | undefined;

/** The same API is in Node itself (22.13 and newer) and in the package that provides it for older versions. */
async function openFile(path: string, options: { readOnly?: boolean } = {}): Promise<Sqlite> {
  const builtIn = "node:sqlite";
  library ??= withoutItsWarning(() => import(builtIn)).catch(
    () => import("@photostructure/sqlite"),
  ) as Promise<Library>;
  const { DatabaseSync } = await library;
  const file = new DatabaseSync(path, options);
  const closed = countHandle(path);
  return {
    exec: (sql) => file.exec(sql),
    prepare: (sql) => file.prepare(sql),
    close() {
      file.close();
      closed();
    },
  };
}

/** Node 22 warns once that the API may change. Our tests run on it, and users cannot do anything about it. */
async function withoutItsWarning<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...more: never[]) => {
    if (!String(warning).includes("SQLite is an experimental")) emitWarning.call(process, warning, ...more);
  }) as typeof emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Somebody else's file, read-only: no functions in its schema run, and its structure is checked on reading. */
export async function openForeign(path: string): Promise<Sqlite> {
  const file = await openFile(path, { readOnly: true });
  file.exec("pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on");
  return file;
}

/** Reads the panel's own file while the panel runs. */
export interface SqliteReader {
  exec(sql: string): void;
  /** Row by row; read one statement to its end before the next. */
  iterate(sql: string): IterableIterator<Record<string, unknown>>;
  close(): void;
}

export async function openReader(path: string): Promise<SqliteReader> {
  const file = await openFile(path, { readOnly: true });
  file.exec("pragma busy_timeout = 5000; pragma cache_size = -4000");
  return {
    exec: (sql) => file.exec(sql),
    iterate: (sql) => withRowsBuiltHere(file.prepare(sql)).iterate() as IterableIterator<Record<string, unknown>>,
    close: () => file.close(),
  };
}

/** An empty in-memory database, gone when closed. */
export const openScratch = () => openFile(":memory:");

/** A small file that several processes share. It waits for no lock: the caller retries, and the event loop continues. */
export async function openShared(path: string): Promise<Sqlite> {
  // Another handle in this process may hold a lock on it, which closing any handle would release.
  if (!existsSync(path)) closeToOthers(path);
  const file = await openFile(path);
  file.exec("pragma busy_timeout = 0; pragma synchronous = full");
  return file;
}

/** Another handle has locked the file. */
export const isLocked = (error: unknown): boolean => /locked|busy/i.test((error as Error).message);

const STATEMENTS_KEPT = 500;
/** 64 MB. */
const LOG_PAGES_AT_MOST = 16_000;

type RowOf = (values: unknown[]) => Record<string, unknown>;
const MAKERS_KEPT = 1_000;
/** By their fields: a process prepares many statements with the same ones, the same again on each connection. */
const makers = new Map<string, RowOf>();

function makerOf(names: readonly string[]): RowOf {
  // An object literal of just these columns: one written name by name costs 50 times as much.
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`).join(",");
  let rowOf = makers.get(fields);
  if (rowOf === undefined) {
    if (makers.size >= MAKERS_KEPT) makers.clear();
    rowOf = new Function("values", `return { ${fields} }`) as RowOf;
    makers.set(fields, rowOf);
  }
  return rowOf;
}

/** Rows cross from the native side as arrays and become objects here: half the time of building objects there. */
function withRowsBuiltHere(statement: Statement): Statement {
  if (statement.setReturnArrays === undefined || statement.columns === undefined) return statement;
  const names = statement.columns().map((column) => column.name);
  if (names.length === 0) return statement;
  statement.setReturnArrays(true);
  const rowOf = makerOf(names);
  return {
    all: (...values) => (statement.all(...values) as unknown[][]).map(rowOf),
    run: (...values) => statement.run(...values),
    *iterate(...values) {
      for (const row of statement.iterate(...values)) yield rowOf(row as unknown[]);
    },
  };
}

/** Owner-only, whatever the folder and the umask allow: the file holds password hashes. SQLite's other files follow it. */
function closeToOthers(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/**
 * Opens the embedded database. WAL with synchronous=FULL: an acknowledged commit survives a power cut. `begin immediate` takes
 * the write lock at once, so a command line next to the panel waits instead of failing midway.
 */
export async function openSqlite(path: string): Promise<Database> {
  makeFolder(dirname(path));
  closeToOthers(path);
  const file = await openFile(path);
  file.exec(
    "pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma cache_size = -6000; pragma temp_store = memory;",
  );
  const { dialect, readNow } = dialectOver(file);
  // SQLite opens its log with the first read.
  readNow("select count(*) from sqlite_schema", []);
  const logHeader = openLogHeader(path);
  // It is copied into the file while nobody waits; SQLite's own way is only for when that never comes.
  if (logHeader !== null) file.exec(`pragma wal_autocheckpoint = ${LOG_PAGES_AT_MOST}`);
  return makeDatabase("sqlite", dialect, "begin immediate", { readNow, logHeader });
}

/** For reading next to a running panel, or a stopped panel's file: it cannot write. */
export async function openSqliteToRead(path: string): Promise<Database> {
  const file = await openFile(path, { readOnly: true });
  file.exec(
    "pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -6000; pragma temp_store = memory;",
  );
  const { dialect, readNow } = dialectOver(file);
  const database = makeDatabase("sqlite", dialect, "begin", { readNow });
  // Its log is for the panel to checkpoint.
  return { ...database, close: () => database.db.destroy() };
}

function dialectOver(file: Sqlite): { dialect: SqliteDialect; readNow: ReadNow } {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      if (statements.size >= STATEMENTS_KEPT) statements.clear();
      const made = withRowsBuiltHere(file.prepare(sql));
      statement = {
        reader: /^\s*(select|with|pragma|explain)\b/i.test(sql) || /\breturning\b/i.test(sql),
        all: (values) => made.all(...values),
        run: (values) => made.run(...values),
        iterate: (values) => made.iterate(...values),
      };
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    dialect: new SqliteDialect({ database: { close: () => file.close(), prepare } }),
    readNow: (sql, parameters) => prepare(sql).all(parameters),
  };
}
