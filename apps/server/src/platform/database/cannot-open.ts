import { sql } from "kysely";
import { fileTrouble } from "../file-trouble.ts";
import { Refusal } from "../refusal.ts";
import type { Database, Db, Tx } from "./database.ts";

const OLDEST_POSTGRES = 15;

/** Where the database is, without a password, fit for a log or a terminal. `url` is PostgreSQL's; otherwise it is the file. */
export function placeOf(url: string | null, file: string): string {
  if (url === null) return file;
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? "");
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** A damaged SQLite file, according to its error or its own check. */
export function isDamage(error: unknown): boolean {
  const number = (error as { errcode?: number }).errcode;
  return number === undefined
    ? /malformed|not a database/.test(messageOf(error))
    : [CORRUPT, NOT_A_DATABASE].includes(number & 0xff);
}

const damaged = (file: string, reason: string) =>
  `The database ${file} is damaged (${reason}). The panel has not touched it. Move it away together with ${file}-wal and ${file}-shm, ` +
  "put the last copy of DATA_DIR in its place and start again. Keep the damaged file: `sqlite3 FILE .recover` may recover what the copy lacks.";

/** PostgreSQL's and the network's error codes, in words that follow the address. */
const POSTGRES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody answers there. Is PostgreSQL running, and does it listen at that address?",
  ENOTFOUND: "there is no host of that name.",
  EAI_AGAIN: "the host's name could not be looked up.",
  ENOENT: "there is no socket of PostgreSQL at that path.",
  ETIMEDOUT: "no answer came in time. Is a firewall in between?",
  EHOSTUNREACH: "the host cannot be reached.",
  ENETUNREACH: "the host cannot be reached.",
  "28P01": "the user's name or password is wrong.",
  "28000": "PostgreSQL does not let this user in (pg_hba.conf).",
  "3D000": "there is no database of that name. Make it: createdb --owner=USER NAME.",
  "42501": "the user may not create tables there. Make that user the database's owner.",
  "53300": "PostgreSQL has no connection left to give (max_connections).",
  "57P03": "PostgreSQL is starting or stopping. Start the panel again when it is up.",
};

/**
 * Turns what keeps the database from opening into a sentence that names the variable or the file and what to do. Unknown
 * errors are returned unchanged.
 */
export function explainOpening(thrown: unknown, url: string | null, file: string): unknown {
  const error = thrown instanceof Refusal ? (thrown.cause ?? thrown) : thrown;
  if (url === null) {
    if (isDamage(error)) return new Error(damaged(file, messageOf(error)), { cause: error });
    const trouble = fileTrouble(error);
    if (trouble === null) return error;
    const isFull = ["ENOSPC", "EDQUOT"].includes(codeOf(error));
    return isFull
      ? trouble
      : new Error(`DATA_DIR must be writable by the panel's user: ${trouble.message}`, { cause: error });
  }
  const known = error instanceof SharedConnections ? error.message : POSTGRES[codeOf(error)];
  // node-postgres gives its own no code; what the server says has one, and may name a setting.
  const isLate = codeOf(error) === "" && /timeout/i.test(messageOf(error));
  return known === undefined && !isLate
    ? error
    : new Error(`DATABASE_URL ${placeOf(url, file)}: ${known ?? POSTGRES.ETIMEDOUT}`, { cause: error });
}

/** A pooler gives every transaction whichever connection is free: what is listened for or set then belongs to nobody. */
class SharedConnections extends Error {
  constructor() {
    super(
      "a pooler there shares connections between transactions (PgBouncer's pool_mode = transaction). The panel needs " +
        "connections of its own: set pool_mode = session, or name PostgreSQL itself.",
    );
  }
}

/** Two connections that are open at once have one process of the server: a pooler lends it by the transaction. */
function areShared(db: Db): Promise<boolean> {
  const processOf = async (over: Db | Tx) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(over)).rows[0]?.pid;
  return db.connection().execute(async (one) => {
    // Others of the pooler's clients may get it in between.
    for (let tries = 0; tries < 3; tries++) {
      const first = await processOf(one as Db);
      if (first === (await db.transaction().execute((other) => processOf(other as Tx)))) return true;
    }
    return false;
  });
}

/** @throws if PostgreSQL is too old or behind a pooler of transactions, or a SQLite file is damaged */
export async function checkOpened({ engine, db }: Database, checkWhole: boolean): Promise<void> {
  if (engine === "postgres") {
    if (await areShared(db)) throw new SharedConnections();
    const { rows } = await sql<{ number: string }>`select current_setting('server_version_num') as number`.execute(db);
    const version = Math.floor(Number(rows[0]?.number) / 10_000);
    if (version < OLDEST_POSTGRES)
      throw new Error(`DATABASE_URL leads to PostgreSQL ${version}; the panel needs ${OLDEST_POSTGRES} or newer.`);
  } else if (checkWhole) {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
    const found = (rows[0]?.quick_check ?? "ok").replaceAll("\n", " ");
    if (found !== "ok") throw Object.assign(new Error(found), { errcode: CORRUPT });
  }
}
