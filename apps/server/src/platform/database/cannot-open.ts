import { type ReasonCode, reason, reasonAt, reasonCode, reasonsTogether } from "@krug/domain/reasons";
import { sql } from "kysely";
import { Failure, failure } from "../failure.ts";
import { fileTrouble } from "../file-trouble.ts";
import { Refusal } from "../refusal.ts";
import type { Database, Db, Tx } from "./database.ts";

const OLDEST_POSTGRES = 15;

/** Where the database is, without a password, safe for a log or a terminal. `url` is PostgreSQL's; otherwise the file is used. */
export function placeOf(url: string | null, file: string): string {
  if (url === null) return file;
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? "");
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const ABOUT_SPACE = ["disk.full", "disk.quota", "disk.fails"];
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** A damaged SQLite file, according to its error or its own check. */
export function isDamage(error: unknown): boolean {
  const number = (error as { errcode?: number }).errcode;
  return number === undefined
    ? /malformed|not a database/.test(messageOf(error))
    : [CORRUPT, NOT_A_DATABASE].includes(number & 0xff);
}

/** PostgreSQL's and the network's error codes. */
const POSTGRES: Readonly<Record<string, ReasonCode>> = {
  ECONNREFUSED: "postgres.nobody",
  ENOTFOUND: "postgres.no_host",
  EAI_AGAIN: "postgres.no_lookup",
  ENOENT: "postgres.no_socket",
  ETIMEDOUT: "postgres.late",
  EHOSTUNREACH: "postgres.out_of_reach",
  ENETUNREACH: "postgres.out_of_reach",
  "28P01": "postgres.login",
  "28000": "postgres.not_let_in",
  "3D000": "postgres.no_database",
  "42501": "postgres.no_right",
  "53300": "postgres.no_connection_left",
  "57P03": "postgres.starting",
};

/**
 * Turns an error that keeps the database from opening into a message that names the variable or the file and what to do. Unknown
 * errors are returned unchanged.
 */
export function explainOpening(thrown: unknown, url: string | null, file: string): unknown {
  const error = thrown instanceof Refusal ? (thrown.cause ?? thrown) : thrown;
  if (url === null) {
    if (isDamage(error)) return failure("database.damaged", { file, found: messageOf(error) }, { cause: error });
    // SQLite's own errors name no file.
    const trouble = fileTrouble(error, (error as NodeJS.ErrnoException).path ?? file);
    if (trouble === null) return error;
    return ABOUT_SPACE.includes(reasonCode(trouble.why))
      ? trouble
      : new Failure(reasonsTogether([reason("database.folder_closed"), trouble.why]), { cause: error });
  }
  const isShared = error instanceof SharedConnections || /statement pooling mode/.test(messageOf(error));
  const known = isShared ? "postgres.pooler" : POSTGRES[codeOf(error)];
  // node-postgres gives its own errors no code; the server's have one, and may name a setting.
  const isLate = codeOf(error) === "" && /timeout/i.test(messageOf(error));
  return known === undefined && !isLate
    ? error
    : new Failure(reasonAt(`DATABASE_URL ${placeOf(url, file)}`, reason(known ?? "postgres.late")), { cause: error });
}

/** A pooler gives every transaction or statement any free connection, so LISTEN and session settings belong to nobody. */
class SharedConnections extends Failure {
  constructor() {
    super(reason("postgres.pooler"));
  }
}

/** Whether two connections that are open at once share a server process: a pooler lends it per transaction. */
function areShared(db: Db): Promise<boolean> {
  const processOf = async (over: Db | Tx) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(over)).rows[0]?.pid;
  return db.connection().execute(async (one) => {
    // Another client of the pooler may get it in between.
    for (let tries = 0; tries < 3; tries++) {
      const first = await processOf(one as Db);
      if (first === (await db.transaction().execute((other) => processOf(other as Tx)))) return true;
    }
    return false;
  });
}

/** @throws if PostgreSQL is too old or behind a transaction pooler, or a SQLite file is damaged */
export async function checkOpened({ engine, db }: Database, checkWhole: boolean): Promise<void> {
  if (engine === "postgres") {
    if (await areShared(db)) throw new SharedConnections();
    const { rows } = await sql<{ number: string }>`select current_setting('server_version_num') as number`.execute(db);
    const version = Math.floor(Number(rows[0]?.number) / 10_000);
    if (version < OLDEST_POSTGRES) throw failure("database.old_postgres", { version, needed: OLDEST_POSTGRES });
  } else if (checkWhole) {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
    const found = (rows[0]?.quick_check ?? "ok").replaceAll("\n", " ");
    if (found !== "ok") throw Object.assign(new Error(found), { errcode: CORRUPT });
  }
}
