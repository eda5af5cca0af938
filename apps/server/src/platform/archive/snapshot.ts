import pg from "pg";
import { letOthersIn } from "../database/chunks.ts";
import { openReader } from "../database/sqlite.ts";
import type { HashKeyRow } from "../sealing.ts";
import { quoted, type Shape, shapesOf, shapesQuery } from "./shape.ts";

type Row = Record<string, unknown>;

/** A database as it was at one moment, however long reading takes and whatever is written meanwhile. */
export interface Snapshot {
  shapes: Shape[];
  migrations: { name: string; applied_at: number }[];
  /** The master key that encrypts the secrets; null before a panel has recorded one. */
  sealing: HashKeyRow | null;
  /** A few rows at a time. */
  rows(shape: Shape): AsyncGenerator<Row[]>;
  close(): Promise<void>;
}

/** Where a database is: PostgreSQL's address, or null and SQLite's file. */
export interface Place {
  databaseUrl: string | null;
  file: string;
}

const ROWS_AT_ONCE = 200;
/** Pictures of megabytes. */
const BIG_ROWS_AT_ONCE = 1;
const MIGRATIONS = "select name, applied_at from migrations order by name";
const SEALING = "select key_id, sealed_hash_key from sealing";

const atOnce = ({ columns }: Shape) => (columns.some(({ isBytes }) => isBytes) ? BIG_ROWS_AT_ONCE : ROWS_AT_ONCE);
const selectOf = ({ table, columns }: Shape) =>
  `select ${columns.map(({ name }) => quoted(name)).join(", ")} from ${quoted(table)}`;

const namesItsKey = (shapes: readonly Shape[]) => shapes.some(({ table }) => table === "sealing");
const firstOf = (rows: Row[]) => (rows[0] as HashKeyRow | undefined) ?? null;

export const openSnapshot = ({ databaseUrl, file }: Place): Promise<Snapshot> =>
  databaseUrl === null ? ofSqlite(file) : ofPostgres(databaseUrl);

/** A separate connection: in WAL mode a reader does not block writers. */
async function ofSqlite(file: string): Promise<Snapshot> {
  const reader = await openReader(file);
  try {
    reader.exec("begin");
    // The first read fixes the snapshot.
    const migrations = [...reader.iterate(MIGRATIONS)] as Snapshot["migrations"];
    const shapes = shapesOf(reader.iterate(shapesQuery("sqlite")));
    return {
      migrations,
      shapes,
      sealing: namesItsKey(shapes) ? firstOf([...reader.iterate(SEALING)]) : null,
      async *rows(shape) {
        let some: Row[] = [];
        for (const row of reader.iterate(selectOf(shape))) {
          some.push(row);
          if (some.length < atOnce(shape)) continue;
          yield some;
          some = [];
          await letOthersIn();
        }
        if (some.length > 0) yield some;
      },
      async close() {
        reader.close();
      },
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

const INT8 = 20;
const CONNECT_WITHIN_MS = 15_000;

/** Without the panel's limits: a slow reader may take its time. */
async function ofPostgres(url: string): Promise<Snapshot> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const client = new pg.Client({
    connectionString: url,
    types,
    application_name: "krug backup",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // A broken connection fails the running query; it must not also end the panel.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const migrations = (await client.query(MIGRATIONS)).rows as Snapshot["migrations"];
    const shapes = shapesOf((await client.query(shapesQuery("postgres"))).rows);
    return {
      migrations,
      shapes,
      sealing: namesItsKey(shapes) ? firstOf((await client.query(SEALING)).rows) : null,
      async *rows(shape) {
        await client.query(`declare of_backup no scroll cursor for ${selectOf(shape)}`);
        for (;;) {
          const { rows } = await client.query(`fetch ${atOnce(shape)} from of_backup`);
          if (rows.length === 0) break;
          yield rows as Row[];
        }
        await client.query("close of_backup");
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
