import { join } from "node:path";
import type { Api } from "@krug/contract/api";
import type { Role } from "@krug/domain/roles";
import { sql } from "kysely";
import { makeApp } from "../src/app.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { PasswordCost } from "../src/features/access/auth/index.ts";
import { readGeneration } from "../src/features/club/fencing/index.ts";
import { type MemberRow, newMemberRow } from "../src/features/members/members/index.ts";
import type { Greet } from "../src/features/vpn/probe/index.ts";
import type { Host } from "../src/hosts/host.ts";
import { openInstallation, packagedGeoFiles } from "../src/installation.ts";
import { drawPicture } from "../src/platform/draw-picture.ts";
import type { InternetException } from "../src/platform/http/internet.ts";
import type { Draw } from "../src/platform/pictures.ts";
import { unnamedFields } from "./audit-of.ts";
import { type FakeHost, makeFakeHost } from "./fake-host.ts";
import { type FakeNames, makeFakeNames } from "./fake-names.ts";
import { makeFakeRemotes } from "./fake-remotes.ts";
import { makeTestDatabase, TEST_SCHEMA, type TestDatabase } from "./test-database.ts";

/** Cheap password hashes: most tests are about something else and sign many people in. */
const CHEAP_PASSWORDS: PasswordCost = { memoryKib: 8, passes: 1 };
/** Cheap backup passphrases, for the same reason: the real factor takes 0.4 s of CPU and 128 MiB, twice per backup. */
export const CHEAP_WORK_FACTOR = 8;
const DAY_MS = 86_400_000;
export const PASSWORD = "correct horse battery";
/** A Saturday noon in Moscow; the club's clock stands still until a test moves it. */
const START = Date.parse("2026-11-21T09:00:00Z");

/** A clock moved by hand. */
export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

export interface Person {
  id: string;
  username: string;
  password: string;
  /** An open session's; staff's is elevated by default. */
  token: string;
}

export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  /** The parsed answer, or undefined without one. */
  body: Body;
  /** The refusal's code, or undefined if the call was answered. */
  code: string | undefined;
  /** The refusal's sentence. */
  message: string | undefined;
}

type Call = keyof Api & string;
type Sent<Key extends Call> = {
  [Part in "params" | "query" | "body" as Api[Key][Part] extends undefined ? never : Part]?: Api[Key][Part];
} & { headers?: Record<string, string> };

export interface Caller {
  /** A call of the contract, typed by it. */
  call<Key extends Call>(key: Key, sent?: Sent<Key>): Promise<Answer<Api[Key]["answer"]>>;
  /** Any request at all, for hostile input. A string or bytes as `body` is sent unchanged. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface NewPerson {
  username?: string;
  password?: string;
  role?: Role;
  /** false: the session has not passed the two-factor check. */
  elevated?: boolean;
  /** ms since 1970; 30 days from now by default. */
  subscriptionEnd?: number | null;
  configLimit?: number;
  /** Any other column of the member's row. */
  row?: Partial<MemberRow>;
}

export type Club = Awaited<ReturnType<typeof startClub>>;

/**
 * The whole panel for a test: real HTTP on a free port, real SQL on the run's engine, a clock that stands still, and an
 * in-memory machine with WireGuard. `environment` is what `npm start` would read.
 */
export async function startClub(
  options: {
    environment?: Record<string, string>;
    localServer?: "fake" | "off";
    /** The machine's address on the internet as it knows it itself; a public one by default. */
    ownAddress?: string;
    /** False: the panel does not read servers yet. */
    look?: boolean;
    /** A built web client to serve; without it there is only the API. */
    webFolder?: string;
    /** Cheap by default. */
    passwordCost?: PasswordCost;
    /** In this process and at once by default. */
    drawPicture?: Draw;
    /** How interfaces are probed; over UDP by default. */
    greet?: Greet;
    /** Replaces the internet, for push services and webhooks. */
    internetException?: InternetException;
    /** Where its data goes; the machine's temporary folder by default. */
    folder?: string;
    /** The test's own PostgreSQL server. */
    postgres?: string;
    /** Where to reach its database, if not directly: through something in between. */
    reachedAt?: (databaseUrl: string) => string;
  } = {},
) {
  const test: TestDatabase = await makeTestDatabase(options.postgres, options.folder);
  let at = START;
  const clock: TestClock = {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms;
    },
  };
  const config = {
    ...readConfig({ LOG_LEVEL: process.env.TEST_LOG ?? "silent", SECURITY_GATE: "off", ...options.environment }),
    ...test.config,
    masterKeyFile: join(test.config.dataDir, "master.key"),
    databaseUrl: test.config.databaseUrl && (options.reachedAt?.(test.config.databaseUrl) ?? test.config.databaseUrl),
  };
  const host: FakeHost = makeFakeHost(options.ownAddress === undefined ? {} : { address: options.ownAddress });
  const remotes = makeFakeRemotes();
  const names: FakeNames = makeFakeNames();

  const open = async (config: Config, host: Host | FakeHost | null) => {
    const installation = await openInstallation(config, clock.now());
    const { db } = installation.database;
    const app = await makeApp({
      config,
      ...installation,
      clock,
      localHost: host !== null && "forPanel" in host ? host.forPanel(() => readGeneration(db)) : host,
      remotes,
      names,
      version: "0.0.0-test",
      geoFiles: packagedGeoFiles(),
      webFolder: options.webFolder ?? join(test.config.dataDir, "no-web"),
      checkAnswers: true,
      passwordCost: options.passwordCost ?? CHEAP_PASSWORDS,
      drawPicture: options.drawPicture ?? drawPicture,
      backupWorkFactor: CHEAP_WORK_FACTOR,
      backupHaste: { firstPauseMs: 1 },
      ...(options.greet && { greet: options.greet }),
      ...(options.internetException && { internetException: options.internetException }),
    });
    const link = await app.prepare().catch(async (error: unknown) => {
      await app.stop();
      throw error;
    });
    await app.server.listen({ port: 0, host: "127.0.0.1" });
    const origin = app.server.listeningOrigin;
    const first = link === null ? null : origin + link;
    // A superseded panel does no work.
    if ((await app.parts.fencing.newer()) === null) {
      app.jobs.start();
      app.parts.telegramBot.start();
      app.parts.pushSender.start();
      app.parts.webhooks.start();
      if (options.look !== false) await app.lookAtServers();
      await app.jobs.drain();
    }
    return { app, origin, first, database: installation.database, installation };
  };
  const openFirst = () => open(config, options.localServer === "off" ? null : host);
  let running = await openFirst();
  let people = 0;

  const caller = (token: string | null, origin = () => running.origin): Caller => {
    const send: Caller["send"] = async (method, path, body, headers = {}) => {
      const response = await fetch(`${origin()}${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : {
              body:
                typeof body === "string" || body instanceof Uint8Array
                  ? (body as Uint8Array<ArrayBuffer>)
                  : JSON.stringify(body),
            }),
        redirect: "manual",
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      const parsed: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
      const error = isJson && !response.ok ? (parsed as { error: { code: string; message: string } }).error : undefined;
      return {
        status: response.status,
        headers: response.headers,
        body: parsed,
        code: error?.code,
        message: error?.message,
      };
    };
    return {
      send,
      async call(key, sent) {
        const [method = "", path = ""] = key.split(" ");
        const {
          params = {},
          query = {},
          body,
          headers,
        } = (sent ?? {}) as {
          params?: Record<string, string>;
          query?: Record<string, unknown>;
          body?: unknown;
          headers?: Record<string, string>;
        };
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
        const search = new URLSearchParams(
          Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
        ).toString();
        return (await send(method, `/api${filled}${search === "" ? "" : `?${search}`}`, body, headers)) as never;
      },
    };
  };

  const person = async (wish: NewPerson): Promise<Person> => {
    people++;
    const username = wish.username ?? `member-${people}`;
    const password = wish.password ?? PASSWORD;
    const { members, auth } = running.app.parts;
    const row = newMemberRow({
      username,
      role: wish.role ?? "user",
      staff_password: Number(password.length >= 10),
      password_hash: await auth.hashPassword(password),
      subscription_end: wish.subscriptionEnd === undefined ? at + 30 * DAY_MS : wish.subscriptionEnd,
      subscription_source: wish.subscriptionEnd === null ? null : "payment",
      config_limit: wish.configLimit ?? 3,
      accepted_rules_at: at,
      created_at: at,
      ...wish.row,
    });
    const { token } = await running.database.transact(async (tx) => {
      await members.insert(tx, row);
      return auth.openSession(tx, row, "Test");
    });
    const actor = row.role === "user" || wish.elevated === false ? null : await auth.authenticate(token, true);
    const elevated = actor && (await running.database.transact((tx) => auth.renewToken(tx, actor, true)));
    return { id: row.id, username, password, token: elevated?.token ?? token };
  };

  return {
    clock,
    host,
    /** Machines that it can reach over SSH. */
    remotes,
    names,
    config,
    get app() {
      return running.app;
    },
    get origin() {
      return running.origin;
    },
    get db() {
      return running.database.db;
    },
    get database() {
      return running.database;
    },
    get transact() {
      return running.database.transact;
    },
    /** The first start's output. */
    get firstStart() {
      return running.first;
    },
    member: (wish: Omit<NewPerson, "role"> = {}) => person(wish),
    moderator: (wish: Omit<NewPerson, "role"> = {}) => person({ ...wish, role: "moderator" }),
    admin: (wish: Omit<NewPerson, "role"> = {}) => person({ ...wish, role: "admin" }),
    as: (someone: Person) => caller(someone.token),
    guest: caller(null),
    /** A valid session token. */
    withToken: (token: string) => caller(token),
    /** Every row of every table, by table name. */
    async allRows(): Promise<Map<string, Record<string, unknown>[]>> {
      const { db } = running.database;
      const tables = (await db.introspection.getTables()).filter(({ schema }) => schema !== TEST_SCHEMA);
      const read = async ({ name }: { name: string }) => {
        const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
        return [name, rows] as const;
      };
      return new Map(await Promise.all(tables.map(read)));
    },
    /** Waits until every due job is done. */
    settle: () => running.app.jobs.drain(),
    /** Another panel on the same database, by default without a machine of its own; stop it before the club. */
    async otherPanel(host: Host | null = null) {
      return this.panelAt({ dataDir: join(test.config.dataDir, "other-panel") }, host);
    },
    /** Another panel, such as one that a backup was restored to; stop it before the club. */
    async panelAt(
      place: Partial<Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">>,
      host: Host | FakeHost | null = null,
    ) {
      const { app, origin, database } = await open({ ...config, ...place }, host);
      const withToken = (token: string) => caller(token, () => origin);
      return {
        app,
        origin,
        db: database.db,
        transact: database.transact,
        withToken,
        as: (someone: Person) => withToken(someone.token),
        /** A restore signs everybody out. */
        async enter({ id }: Person): Promise<Caller> {
          const { members, auth } = app.parts;
          const { token } = await database.transact(async (tx) => {
            const row = await members.lock(tx, id);
            if (row === undefined) throw new Error("there is no such member");
            return auth.openSession(tx, row, "Test");
          });
          const actor = await auth.authenticate(token, true);
          return withToken(
            (actor && (await database.transact((tx) => auth.renewToken(tx, actor, true))).token) ?? token,
          );
        },
        stop: () => app.stop(),
      };
    },
    /** Stops the panel and starts it again on the same data, as after an update. */
    async restart({ meanwhile = () => {} } = {}) {
      await running.app.stop();
      meanwhile();
      running = await openFirst();
    },
    /** @throws Error if an act was recorded with a field that has no words, or a subscription's end moved without its ledger */
    async stop() {
      // A test that stopped the panel itself has no database left to query.
      const ifOpen = (error: unknown) => {
        if (error instanceof Error && error.message === "driver has already been destroyed") return [];
        throw error;
      };
      try {
        const { db } = running.database;
        const unnamed = await unnamedFields(db).catch(ifOpen);
        if (unnamed.length > 0) throw new Error(`not among AUDIT_FIELDS: ${unnamed.join(", ")}`);
        const wrong = await running.app.parts.members.ledger.notAddingUp(db).catch(ifOpen);
        if (wrong.length > 0) throw new Error(`the ledgers of ${wrong.join(", ")} do not add up (ADR 171)`);
      } finally {
        await running.app.stop();
        await test.drop();
      }
    },
  };
}
