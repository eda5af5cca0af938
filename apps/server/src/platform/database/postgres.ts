import { PostgresDialect } from "kysely";
import pg from "pg";
import { type Database, makeDatabase } from "./database.ts";

const INT8 = 20;

/** Opens PostgreSQL 15+. Times and counters are bigint there; they stay below 2^53 and are read as numbers. */
export function openPostgres(url: string): Database {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10, types, application_name: "krug" });
  // An idle connection that the server closed is no reason to end the panel; the next query opens another.
  pool.on("error", () => {});
  return makeDatabase("postgres", new PostgresDialect({ pool }), "begin");
}
