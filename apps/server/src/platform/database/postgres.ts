import { PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import { isDuringRequest } from "../http/current-request.ts";
import { isStalePlan } from "./conflict.ts";
import { type Database, makeDatabase } from "./database.ts";
import { makeNaming, type Naming } from "./kept-statements.ts";
import { dropConnection, makeLine } from "./postgres-line.ts";

const INT8 = 20;

/**
 * Callers and the panel's own work have as many connections each, so that many callers do not keep a device that has to come off
 * the wire waiting (docs/adr/0233-own-work-has-its-own-connections.md).
 */
const OF_EACH = 5;
/** How long to wait for a connection, including one that becomes free. */
const CONNECT_WITHIN_MS = 15_000;
/** No statement of the panel takes even half as long with a hundred thousand members. */
const STATEMENT_MS = 120_000;
/** The server ends a statement by itself; if its answer does not arrive, we drop the connection a little later. */
const ANSWER_MS = STATEMENT_MS + 30_000;
/** A lock held longer than this means its holder is stuck. */
const LOCK_MS = 20_000;
/** A panel that stalls inside a transaction must not block the others forever. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * PostgreSQL would JIT-compile plans that look costly, such as the one for a large server's peers, which takes longer than it
 * saves.
 */
const PLAIN_PLANS = "set jit = off";

/** Set once connected: a pooler in between refuses connections that pass them while opening. */
const LIMITS = `set statement_timeout = ${STATEMENT_MS}; set lock_timeout = ${LOCK_MS};
  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/**
 * Opens PostgreSQL 15+. Times and counters are bigint there; they stay below 2^53 and are read as numbers. `patient`: no
 * time limits, for schema changes. `readOnly`: the server refuses every change.
 */
export function openPostgres(url: string, { patient = false, readOnly = false } = {}): Database {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const clients = new Set<pg.PoolClient>();
  const naming = makeNaming();
  let heardAt = Number.NEGATIVE_INFINITY;
  const hear = () => {
    heardAt = performance.now();
  };
  // Before the pool's first statement: a client runs them in order. A failure ends that one too.
  const settings = [
    PLAIN_PLANS,
    ...(patient ? [] : [LIMITS]),
    ...(readOnly ? ["set default_transaction_read_only = on"] : []),
  ].join("; ");
  const makePool = () => {
    const pool = new pg.Pool({
      connectionString: url,
      max: OF_EACH,
      types,
      application_name: "krug",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      ...(patient ? {} : { query_timeout: ANSWER_MS }),
    });
    // A connection closed by the server, idle or busy, must not end the panel.
    pool.on("error", () => {});
    pool.on("connect", (client) => {
      clients.add(client);
      client.on("error", () => {});
      watchAnswers(client, hear, naming);
      client.query(settings).catch(() => dropConnection(client));
    });
    pool.on("remove", (client) => clients.delete(client));
    return pool;
  };
  const [callers, own] = [makePool(), makePool()];
  const pool: PostgresPool = {
    connect: () => (isDuringRequest() ? callers : own).connect(),
    end: async () => void (await Promise.all([callers.end(), own.end()])),
  };
  const abandon = () => {
    for (const client of clients) dropConnection(client);
  };
  return makeDatabase("postgres", new PostgresDialect({ pool }), readOnly ? "begin read only" : "begin", {
    line: makeLine(url, { abandon, heardAt: () => heardAt }),
  });
}

/**
 * Calls `hear` for each answer, and has frequent statements kept by the server. A late answer ends the connection: the driver would
 * return it to the pool while the query it gave up on is still running.
 */
function watchAnswers(client: pg.PoolClient, hear: () => void, naming: Naming): void {
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
  const askByName = async (name: string, text: string, values: unknown) => {
    try {
      return await (ask({ name, text, values }) as Promise<unknown>);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      naming.startOver();
      // A transaction is over, and made again.
      if ((client as unknown as pg.Client).getTransactionStatus() !== "I") throw error;
      return ask(text, values);
    }
  };
  const query = (...args: unknown[]) => {
    const [text, values] = args;
    const name = args.length <= 2 && typeof text === "string" ? naming.nameOf(text) : undefined;
    const answer = name === undefined ? ask(...args) : askByName(name, text as string, values);
    if (answer instanceof Promise)
      answer.then(hear, (error: Error) => {
        if (error.message === "Query read timeout") dropConnection(client);
      });
    return answer;
  };
  client.query = query as typeof client.query;
}
