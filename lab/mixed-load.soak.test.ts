import { chown, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { InviteTables } from "../apps/server/src/features/access/invites/table.ts";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import type { SupportTables } from "../apps/server/src/features/messages/support/table.ts";
import type { PaymentTables } from "../apps/server/src/features/money/payments/table.ts";
import type { ConfigTables } from "../apps/server/src/features/vpn/configs/table.ts";
import type { ServerTables } from "../apps/server/src/features/vpn/servers/table.ts";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { openPostgres } from "../apps/server/src/platform/database/postgres.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { groupBy } from "../apps/server/src/platform/group-by.ts";
import { signInAll } from "../bench/sign-in.ts";
import { at, median, ms, printTable, times } from "../bench/table.ts";
import { type Panel, startPanel } from "../e2e/panel.ts";
import { startCluster, unprivileged } from "../scripts/postgres-for-tests.mjs";
import { type LittleDisk, makeLittleDisk } from "./little-disk.ts";
import { startDoubles } from "./many-servers.ts";
import { type Ledger, type Load, type LoadMember, startLoad } from "./mixed-load.ts";
import { until } from "./network.ts";
import { type OpenPages, openPages } from "./open-pages.ts";
import { makeOwnClock } from "./own-clock.ts";
import { setUpAdmin, visitorsOf } from "./panel.ts";
import { fillDatabase } from "./servers-club.ts";

/*
 * The built panel under mixed load, with thousands of open pages, while it is killed, its database stops, its disk fills up and
 * its clock jumps: on SQLite and then on PostgreSQL. It fails if anything is lost, wrongly refused or leaked. The only time limits are
 * those within which everything has to recover.
 */
/** Both engines together; a shorter run (SOAK_MINUTES=3) has the same faults closer to each other. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const PAGES = Number(process.env.SOAK_PAGES ?? 2_000);
const ENGINE_MS = (MINUTES / 2) * 60_000;

const MEMBERS = PAGES + 2_000;
const DEVICES_OF_EACH = 2;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DISK_MB = 500;
const AHEAD_SECONDS = 86_400;

/** After a fault everybody's page must have its stream, and have received a change made then. */
const BACK_WITHIN_MS = 90_000;
/** How much more memory than after its first minute a panel may use that ran for the whole time. */
const MEMORY_FACTOR = 1.5;
const FILES_MORE = 50;
const IDLE_MS = 5_000;
const SAMPLE_EVERY_MS = 5_000;
const RECENT_LOOKS = 6;
const METRICS_TOKEN = "token-of-the-soak-test";

type Tables = MemberTables & ConfigTables & InviteTables & PaymentTables & ServerTables & SupportTables;

/** A database: how the panel and the test reach it, and its faults. */
interface Engine {
  env: Record<string, string>;
  open(): Promise<Database>;
  faults: Fault[];
  remove(): Promise<void>;
}
interface Fault {
  name: string;
  /** It ends every page's stream: the panel was down, or may have missed events. */
  endsStreams: boolean;
  /** Starts and ends the fault. */
  strike(): Promise<void>;
}

const statusOf = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return {
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1_024,
    files: (await readdir(`/proc/${pid}/fd`)).length,
  };
};

async function sqliteOn(disk: LittleDisk): Promise<Engine> {
  return {
    env: {},
    open: () => openSqlite(join(disk.folder, "data/krug.db")),
    faults: [],
    remove: async () => {},
  };
}

/** Its tables are on the little disk, and its write-ahead log is not: PostgreSQL itself ends if that has no room. */
async function postgresOn(disk: LittleDisk): Promise<Engine> {
  const user = unprivileged();
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on", autovacuum: "on" };
  const cluster = await startCluster(settings);
  const tables = join(disk.folder, "tables");
  await mkdir(tables);
  if (user) await chown(tables, user.uid, user.gid);
  const superuser = openPostgres(cluster.url);
  await sql.raw(`create tablespace little location '${tables}'`).execute(superuser.db);
  await sql`create database club tablespace little`.execute(superuser.db);
  await superuser.close();
  const url = new URL(cluster.url);
  url.pathname = "/club";
  return {
    env: { DATABASE_URL: url.href },
    open: async () => openPostgres(url.href),
    faults: [
      {
        name: "database restarted",
        endsStreams: true,
        async strike() {
          await cluster.stop("SIGINT");
          await wait(2_000);
          await cluster.start();
        },
      },
      {
        name: "database crashed",
        endsStreams: true,
        async strike() {
          await cluster.stop("SIGQUIT");
          await cluster.start();
        },
      },
      {
        name: "database frozen",
        endsStreams: true,
        async strike() {
          cluster.freeze();
          await wait(12_000);
          cluster.thaw();
        },
      },
    ],
    remove: cluster.end,
  };
}

/** The panel's own metrics, as long as it answers. */
function watch(panel: Panel) {
  const delays: { p50: number; p99: number; max: number }[] = [];
  const residentMb: number[] = [];
  const look = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const answer = await fetch(`${panel.url}/metrics`, { headers, signal: AbortSignal.timeout(SAMPLE_EVERY_MS) });
    const text = await answer.text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN) * 1_000;
    const [p50, p99, max] = ["p50", "p99", "max"].map((part) => figure(`nodejs_eventloop_lag_${part}_seconds`));
    if (Number.isFinite(p99)) delays.push({ p50: p50 ?? 0, p99: p99 ?? 0, max: max ?? 0 });
    residentMb.push((await statusOf(panel.pid())).residentMb);
  };
  // While it is down there is nothing to see.
  const timer = setInterval(() => void look().catch(() => {}), SAMPLE_EVERY_MS);
  return {
    delays,
    peakMb: () => Math.max(...residentMb),
    /** Over the last half minute: at any moment it may be half or twice as much, because of garbage collection. */
    usualMb: () => median(residentMb.slice(-RECENT_LOOKS)),
    end: () => clearInterval(timer),
  };
}

async function seed(engine: Engine, masterKeyFile: string) {
  const login = newSshKey();
  const doubles = await startDoubles(1, login.publicKey);
  onTestFinished(() => doubles.end());
  const database = await engine.open();
  const now = Date.now();
  // Evening in Moscow, as the panel writes ends of subscriptions.
  const endOfDay = Math.ceil(now / DAY_MS) * DAY_MS + 21 * HOUR_MS - 1_000;
  const makersFrom = MEMBERS - 500;
  await fillDatabase(database, masterKeyFile, {
    places: doubles.places,
    login,
    peersOfEach: MEMBERS * DEVICES_OF_EACH,
    configsOfEachMember: DEVICES_OF_EACH,
    member: (number) => ({
      subscription_source: "payment",
      // One in ten of the members who only have devices ends while the clock is a day ahead, and has not ended once it is right.
      subscription_end: number >= makersFrom && number % 10 === 0 ? now + 12 * HOUR_MS : endOfDay + 30 * DAY_MS,
      accepted_rules_at: now,
      config_limit: -1,
    }),
  });
  const rows = await database.db
    .withTables<Tables>()
    .selectFrom("members")
    .select(["id", "username", "subscription_end"])
    .where("role", "=", "user")
    .execute();
  const numbered = rows.toSorted((a, b) => numberOf(a.username) - numberOf(b.username));
  const tokens = await signInAll(
    database,
    numbered.map(({ id }) => id),
  );
  const interfaces = await sql<{ id: string }>`select id from interfaces`.execute(database.db);
  await database.close();
  const members = numbered.map(({ id, subscription_end }, index) => ({
    id,
    token: tokens[index] ?? "",
    end: subscription_end,
  }));
  return { members, doubles, interfaceId: interfaces.rows[0]?.id ?? "" };
}
const numberOf = (username: string) => Number(username.split("-").at(-1));

/** Everything acknowledged exists once. Of the rest each exists once or not at all, and never in part. */
async function compare(database: Database, ledger: Ledger, listeners: Map<string, number>) {
  const tables = database.db.withTables<Tables>();
  const lost: string[] = [];
  const check = (isSo: boolean, what: string) => void (isSo || lost.push(what));
  const fits = (count: number, acknowledged: boolean) => (acknowledged ? count === 1 : count <= 1);

  const messages = await tables
    .selectFrom("support_messages")
    .select(["id", "member_id", "sequence", "content"])
    .execute();
  const attached = await tables.selectFrom("support_attachments").select("message_id").execute();
  const pictures = groupBy(attached, ({ message_id }) => message_id);
  const byContent = groupBy(messages, ({ content }) => content);
  for (const [content, { memberId, picture, acknowledged }] of ledger.messages) {
    const found = byContent.get(content) ?? [];
    check(fits(found.length, acknowledged), `message ${content}: ${found.length}, acknowledged: ${acknowledged}`);
    for (const row of found) {
      check(row.member_id === memberId, `message ${content} is somebody else's`);
      check((pictures.get(row.id)?.length ?? 0) === (picture ? 1 : 0), `message ${content} without its picture`);
    }
  }
  check(byContent.size === messages.length, "two messages with one content");
  for (const [memberId, own] of groupBy(messages, ({ member_id }) => member_id))
    check(Math.max(...own.map(({ sequence }) => sequence)) === own.length, `a gap in the messages of ${memberId}`);

  const configs = await tables
    .selectFrom("configs")
    .select(["id", "member_id", "name"])
    .where("deleted_at", "is", null)
    .execute();
  const services = new Set(
    (
      await tables
        .withTables<{ config_services: { config_id: string } }>()
        .selectFrom("config_services")
        .select("config_id")
        .execute()
    ).map(({ config_id }) => config_id),
  );
  const byName = groupBy(configs, ({ member_id, name }) => `${member_id} ${name}`);
  for (const [key, { stands }] of ledger.devices) {
    const count = byName.get(key)?.length ?? 0;
    check(stands === null ? count <= 1 : count === Number(stands), `device ${key}: ${count}, expected: ${stands}`);
  }
  check(byName.size === configs.length, "two devices of one name");
  check(
    configs.every(({ id }) => services.has(id)),
    "a device without its services",
  );

  const claims = await tables.selectFrom("payment_claims").select(["member_id", "state", "receipt_id"]).execute();
  const receipts = await tables.selectFrom("payment_receipts").select("id").execute();
  const byClaimant = groupBy(claims, ({ member_id }) => member_id);
  for (const [memberId, { acknowledged, receipt }] of ledger.claims) {
    const found = byClaimant.get(memberId) ?? [];
    check(fits(found.length, acknowledged), `claim of ${memberId}: ${found.length}, acknowledged: ${acknowledged}`);
    check(
      found.every(({ receipt_id }) => (receipt_id !== null) === receipt),
      `claim of ${memberId} without its receipt`,
    );
  }
  const named = new Set(claims.flatMap(({ receipt_id }) => receipt_id ?? []));
  check(receipts.length === named.size, `${receipts.length} receipts of ${named.size} claims`);

  const members = await tables
    .selectFrom("members")
    .select(["id", "username", "subscription_end", "invite_code_id"])
    .execute();
  const endOf = new Map(members.map(({ id, subscription_end }) => [id, subscription_end]));
  const payments = await tables.selectFrom("payments").select(["member_id", "status", "granted_until"]).execute();
  const byPayer = groupBy(payments, ({ member_id }) => member_id);
  for (const [memberId, acknowledged] of ledger.paid) {
    const found = (byPayer.get(memberId) ?? []).filter(({ status }) => status === "paid");
    check(fits(found.length, acknowledged), `payment of ${memberId}: ${found.length}, acknowledged: ${acknowledged}`);
    for (const row of found) {
      check(row.granted_until === endOf.get(memberId), `what ${memberId} has paid for was not given, or twice`);
      check(byClaimant.get(memberId)?.[0]?.state === "confirmed", `the claim of ${memberId} still waits`);
    }
  }
  for (const [id, end] of listeners) check(endOf.get(id) === end, `${id} was extended to ${endOf.get(id)}, not ${end}`);

  const byUsername = groupBy(members, ({ username }) => username);
  for (const [username, acknowledged] of ledger.newcomers) {
    const count = byUsername.get(username)?.length ?? 0;
    check(fits(count, acknowledged), `${username}: ${count}, acknowledged: ${acknowledged}`);
  }
  const codes = await tables.selectFrom("invite_codes").select(["id", "current_uses"]).execute();
  const joined = groupBy(members, ({ invite_code_id }) => invite_code_id);
  for (const { id, current_uses } of codes)
    check(current_uses === (joined.get(id)?.length ?? 0), `code ${id}: ${current_uses} uses`);
  const known = new Set(codes.map(({ id }) => id));
  for (const id of ledger.codes) check(known.has(id), `invite code ${id} is gone`);
  return lost;
}

/** Devices that were cut off, created or deleted until now are so on the server too. At the end everybody is entitled. */
async function untilOnTheWire(engine: Engine, countPeers: () => Promise<number>) {
  const database = await engine.open();
  const configs = database.db.withTables<Tables>().selectFrom("configs").where("deleted_at", "is", null);
  const found = { peers: -1, configs: 0 };
  await until(
    "peers are what the database says",
    async () => {
      found.configs =
        (await configs.select(({ fn }) => fn.countAll().as("count")).execute()).map(({ count }) => Number(count))[0] ??
        0;
      found.peers = await countPeers();
      return found.peers === found.configs || wait(500, false);
    },
    BACK_WITHIN_MS,
  ).catch(() => {});
  await database.close();
  return found;
}

interface Recovery {
  name: string;
  tookMs: number;
  openMs: number;
  heardMs: number;
}

async function soak(name: string, makeEngine: (disk: LittleDisk) => Promise<Engine>): Promise<void> {
  const disk = await makeLittleDisk(DISK_MB);
  onTestFinished(async () => disk.remove());
  const engine = await makeEngine(disk);
  onTestFinished(() => engine.remove());
  const clock = await makeOwnClock();
  onTestFinished(() => clock.remove());
  const dataDir = join(disk.folder, "data");
  await mkdir(dataDir, { mode: 0o700 });
  const env = {
    ...engine.env,
    ...clock.env,
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    METRICS_TOKEN,
    TRUSTED_PROXIES: "127.0.0.1",
  };
  const panel = await startPanel(env);
  const stop = async (signal: "SIGTERM" | "SIGKILL") => {
    const pid = panel.pid();
    await panel.stop(signal);
    await clock.forget(pid);
  };
  onTestFinished(() => stop("SIGKILL"));
  const { admin, id, token, secret } = await setUpAdmin({ ...visitorsOf(panel.url), output: panel.output });
  await admin.ask("PUT /admin/payments/settings", { body: { price: "300", details: "by card" } });
  await stop("SIGTERM");
  const { members, doubles, interfaceId } = await seed(engine, join(disk.folder, "data/master.key"));
  await panel.restart();
  const filesBefore = (await statusOf(panel.pid())).files;

  const listening = members.slice(0, PAGES);
  const [writers, payers, makers] = [
    members.slice(PAGES, PAGES + 500),
    members.slice(PAGES + 500, PAGES + 1_500),
    members.slice(MEMBERS - 500).filter((_, index) => index % 10 !== 0),
  ] as [LoadMember[], LoadMember[], LoadMember[]];
  const pages: OpenPages = openPages(
    panel.url,
    listening.map((member) => member.token),
  );
  onTestFinished(async () => pages.close());
  const openedMs = await pages.allOpen(BACK_WITHIN_MS);
  const load: Load = await startLoad({
    ...{ url: panel.url, admin: { id, token, secret }, readers: listening, writers, payers, makers, interfaceId },
  });
  onTestFinished(() => load.end());
  const figures = watch(panel);
  onTestFinished(async () => figures.end());

  const began = performance.now();
  let extensions = 0;
  const recoveries: Recovery[] = [];
  /** Staff give everyone with an open page one more day, and every page has to receive it. */
  const announce = async () => {
    const hearing = pages.listenFor("account");
    const from = performance.now();
    for (let first = 0; first < PAGES; first += 250) {
      const ids = listening.slice(first, first + 250).map((member) => member.id);
      const body = { ids, action: "extend", days: 1 };
      const call = { method: "POST", path: "/admin/users/bulk", body, key: `extension-${extensions}-from-${first}` };
      const reply = await load.staff.call("extend 250 members", call);
      expect(reply?.status, `an extension: ${load.wrong.join("; ")}`).toBe(200);
    }
    extensions += 1;
    await hearing.all(BACK_WITHIN_MS);
    return performance.now() - from;
  };
  const suffer = async ({ name, endsStreams, strike }: Fault, staffLockedOut = false) => {
    const from = performance.now();
    const returned = pages.returns() + (endsStreams ? PAGES : 0);
    load.fault(name, staffLockedOut);
    await strike();
    const tookMs = performance.now() - from;
    const over = performance.now();
    await until("every stream has ended", () => pages.returns() >= returned, BACK_WITHIN_MS);
    await pages.allOpen(BACK_WITHIN_MS);
    const openMs = performance.now() - over;
    await load.staffAreIn(BACK_WITHIN_MS);
    const before = load.answered();
    await until("everybody is answered", () => load.answered() > before + 100, BACK_WITHIN_MS);
    load.fault(null);
    recoveries.push({ name, tookMs, openMs, heardMs: await announce() });
    // If the run fails later, this shows how far it got.
    console.info(`${name}: over after ${((performance.now() - from) / 1_000).toFixed(0)} s`);
  };

  const kill = (name: string): Fault => ({
    name,
    endsStreams: true,
    async strike() {
      await stop("SIGKILL");
      await panel.restart();
    },
  });
  const full: Fault = {
    name: "disk full",
    endsStreams: false,
    async strike() {
      await disk.fill();
      await until("a write is refused", () => (load.during.get("disk full")?.get("507") ?? 0) > 0, 60_000);
      await wait(15_000);
      await disk.free();
      await until("writes continue", async () => (await fetch(`${panel.url}/health`)).ok, BACK_WITHIN_MS);
    },
  };
  const jump: Fault = {
    name: "clock a day ahead, and back",
    endsStreams: false,
    async strike() {
      await clock.ahead(AHEAD_SECONDS);
      await wait(25_000);
      await clock.ahead(0);
      await wait(2_000);
    },
  };
  const sample = async () => {
    await load.pause();
    await wait(IDLE_MS);
    const { files } = await statusOf(panel.pid());
    load.resume();
    return { files, residentMb: figures.usualMb() };
  };

  const kills = [kill("panel killed"), kill("panel killed again")];
  const faults = [...kills, ...engine.faults, full, jump];
  let first = { residentMb: 0, files: 0 };
  // The panel that runs to the end is the one after the second kill. It is left alone for a minute first.
  const lasting = kills.length;
  for (const [turn, fault] of faults.entries()) {
    const slot = turn + (turn < lasting ? 1 : 2);
    await wait(Math.max(3_000, began + (ENGINE_MS * slot) / (faults.length + 3) - performance.now()));
    if (turn === lasting) first = await sample();
    await suffer(fault, fault === jump);
  }
  const setRightAfter = Date.now();
  await wait(Math.max(IDLE_MS, began + ENGINE_MS - performance.now()));
  // Fails if the panel has ended meanwhile.
  const last = await sample();
  // The scheduled rounds continue too, though the last of them were planned a day ahead.
  const beside = await engine.open();
  await until(
    "the server is looked at again",
    async () => {
      const servers = beside.db.withTables<Tables>().selectFrom("servers").select("reconciled_at");
      const at = (await servers.executeTakeFirst())?.reconciled_at ?? 0;
      return at > setRightAfter && at <= Date.now() + 1_000;
    },
    BACK_WITHIN_MS,
  );
  await beside.close();

  // The last fault comes in the middle of writing, and nobody asks for the outcome.
  load.fault("panel killed at the end");
  await stop("SIGKILL");
  await load.end();
  await panel.restart();
  await pages.allOpen(BACK_WITHIN_MS);
  pages.close();
  await until(
    "files are given back",
    async () => (await statusOf(panel.pid())).files <= filesBefore + FILES_MORE,
    30_000,
  );
  const filesAfter = (await statusOf(panel.pid())).files;
  figures.end();

  const { peers, configs } = await untilOnTheWire(engine, async () => (await doubles.peers())[0] ?? 0);
  await stop("SIGTERM");
  const database = await engine.open();
  const ends = new Map(listening.map((member) => [member.id, (member.end ?? 0) + extensions * DAY_MS]));
  const lost = await compare(database, load.ledger, ends);
  const integrity =
    name === "SQLite"
      ? (await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.db)).rows[0]?.integrity_check
      : "ok";
  await database.close();

  const acknowledged = [...load.ledger.messages.values()].filter((each) => each.acknowledged).length;
  printTable([
    [name, "pages", "members", "devices", "answers", "messages kept", "devices made", "paid", "joined", "extended"],
    [
      "",
      String(PAGES),
      String(MEMBERS),
      String(configs),
      String(load.answered()),
      String(acknowledged),
      String(load.ledger.devices.size),
      String([...load.ledger.paid.values()].filter(Boolean).length),
      String([...load.ledger.newcomers.values()].filter(Boolean).length),
      `${extensions} × ${PAGES}`,
    ],
  ]);
  const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
  const statuses = (fault: string) =>
    [...(load.during.get(fault) ?? [])]
      .toSorted()
      .map(([status, count]) => `${status === "0" ? "no answer" : status}: ${count}`)
      .join(", ");
  printTable([
    ["fault", "lasted", "all pages back after", "all heard after", "answers from its begin to its end"],
    ["(start)", "", seconds(openedMs), "", ""],
    ...recoveries.map((each) => [
      each.name,
      seconds(each.tookMs),
      seconds(each.openMs),
      seconds(each.heardMs),
      statuses(each.name),
    ]),
  ]);
  printTable([
    ["request", "answered", "sent again", "p50", "p99", "longest"],
    ...[...load.kinds].map(([kind, { calm, longestMs, answered, sentAgain }]) => [
      ...[kind, String(answered), String(sentAgain), ms(median(calm)), ms(at(calm, 0.99)), seconds(longestMs)],
    ]),
  ]);
  const delay = (of: "p50" | "p99" | "max", share: number) =>
    ms(
      at(
        figures.delays.map((each) => each[of]),
        share,
      ),
    );
  printTable([
    ["event loop", "p50, median", "p99, median", "p99, worst 5 s", "longest stall"],
    ["", delay("p50", 0.5), delay("p99", 0.5), delay("p99", 1), delay("max", 1)],
  ]);
  printTable([
    ["memory and files", "after a minute", "at the end", "ratio", "maximum", "files with pages", "after they closed"],
    [
      "",
      `${first.residentMb.toFixed(0)} MB`,
      `${last.residentMb.toFixed(0)} MB`,
      times(last.residentMb / first.residentMb),
      `${figures.peakMb().toFixed(0)} MB`,
      `${first.files}, ${last.files}`,
      `${filesAfter} (${filesBefore} before)`,
    ],
  ]);

  expect(lost).toEqual([]);
  expect(load.wrong).toEqual([]);
  expect(integrity).toBe("ok");
  expect(peers, "peers on the server").toBe(configs);
  expect(pages.refusals().get(401) ?? 0, "pages whose session was refused").toBe(0);
  expect([...pages.refusals().keys()].filter((status) => status !== 503)).toEqual([]);
  expect(last.residentMb).toBeLessThan(first.residentMb * MEMORY_FACTOR);
  expect(Math.abs(last.files - first.files)).toBeLessThan(FILES_MORE);
  // Unhandled errors, and everything else that the panel itself reports as one.
  expect(
    panel
      .output()
      .split("\n")
      .filter((line) => /"level":(50|60)/.test(line)),
  ).toEqual([]);
}

const PATIENCE_MS = ENGINE_MS + 20 * 60_000;
test(
  "SQLite: killed, out of disk space and with a wrong clock, the panel loses nothing that it acknowledged, and everybody recovers",
  async () => {
    await soak("SQLite", sqliteOn);
  },
  PATIENCE_MS,
);

test(
  "PostgreSQL: also with its database restarted, crashed and frozen",
  async () => {
    await soak("PostgreSQL", postgresOn);
  },
  PATIENCE_MS,
);
