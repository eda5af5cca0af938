import pg from "pg";

// For a new connection PostgreSQL starts a process that rereads the catalogue: more work than most tests' queries.

/** As a pool uses it, which its types do not show. */
type Client = Omit<pg.Client, "connect" | "end"> & {
  processID: number;
  readyForQuery: boolean;
  connection: object;
  ref(): void;
  unref(): void;
  connect(connected: (error: null) => void): void;
  end(ended: () => void): void;
};
type PoolOptions = pg.PoolConfig & { connectionString: string };

/** More than most panels open. */
const KEPT_AT_MOST = 10;

/** Idle ones that belong to no pool, by their options. */
const kept = new Map<string, Client[]>();
const keptLike = (options: PoolOptions): Client[] => {
  const key = JSON.stringify(options);
  const list = kept.get(key) ?? [];
  kept.set(key, list);
  return list;
};

const databases = new Set<string>();
/**
 * From now on a pool that ends leaves its connections to this database (a URL) to the next one with the same options, as good as
 * new.
 */
export function keepConnections(database: string): void {
  if (databases.size === 0) {
    const { Pool } = pg;
    pg.Pool = class extends Pool {
      constructor(options: PoolOptions) {
        const isKept = databases.has(options.connectionString);
        super(isKept ? { ...options, Client: clientFor.bind(null, options) as never } : options);
      }
    };
  }
  databases.add(database);
}

/** Process numbers on the server of the kept connections to the database of this name. */
export const keptProcesses = (database: string): number[] =>
  [...kept.values()]
    .flat()
    .filter((client) => client.database === database)
    .map((client) => client.processID);

function clientFor(options: PoolOptions): Client {
  const others = keptLike(options);
  const used = others.pop();
  if (used !== undefined) {
    used.ref();
    used.connect = (connected) => process.nextTick(connected, null);
    return used;
  }

  const client = new pg.Client(options) as unknown as Client;
  const end = client.end.bind(client);
  const forget = () => {
    if (others.includes(client)) others.splice(others.indexOf(client), 1);
  };
  const keep = () => {
    client.removeAllListeners();
    delete (client as Partial<Client>).query; // the previous pool's, if it recorded queries
    client.on("error", forget);
    client.unref();
    others.push(client);
    // The next pool's queries come after it. It drops the statements that the driver takes for kept.
    Object.assign(client.connection, { parsedStatements: {}, submittedNamedStatements: {} });
    client.query("discard all").catch(forget);
  };
  client.end = (ended) => {
    const isIdle = client.readyForQuery && client.getTransactionStatus() === "I";
    if (!isIdle || others.length >= KEPT_AT_MOST) return end(ended);
    keep();
    ended();
  };
  return client;
}
