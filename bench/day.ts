import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "kysely";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { openPostgres } from "../apps/server/src/platform/database/postgres.ts";
import { type Panel, startPanel } from "../e2e/panel.ts";
import { type Doubles, type Helper, startDoubles, startHelper } from "../lab/many-servers.ts";
import type { WireChange } from "../lab/server-doubles.ts";
import { ROOT } from "../scripts/command.mjs";
import { startCluster } from "../scripts/postgres-for-tests.mjs";
import { type Asking, type Kind, makeAsking } from "./day/asking.ts";
import { CONFIGS_OF_EACH, type DayClub, type DayMember, fillDay } from "./day/club.ts";
import { AT_REST, type Rates, startWork, type Work } from "./day/members-at-work.ts";
import { type Cost, estimate, type Happening } from "./day/model.ts";
import type { PagesAnswer, PagesQuestion } from "./day/pages-process.ts";
import { postgresIn, type Used, type Watch, watch } from "./day/watch.ts";
import { prepareBench } from "./run.ts";
import { signInAll } from "./sign-in.ts";
import { at, median, ms, printTable } from "./table.ts";

/*
 * `npm run bench:day [-- MEMBERS [SERVERS [SECONDS]]]`: a club's day on three panels, one PostgreSQL and a balancer. 100,000 members
 * with 300,000 configs on 400 servers by default; SECONDS is how long each part of the day lasts (60). The panels are the built
 * ones and work in real time: an hour of writing is pressed into each part, and midnight is moved to where it is needed by setting
 * the ends of subscriptions. Servers are SSH servers in front of machines in memory; pages are streams and the calls of a dashboard.
 */
const MEMBERS = Number(process.argv[2] ?? 100_000);
const SERVERS = Number(process.argv[3] ?? 400);
const SECONDS = Number(process.argv[4] ?? 60);
const LONGEST_MS = 40 * 60_000;
const PANELS = 3;
const PAGES = Math.floor(MEMBERS / 5);
/** A process may open 20,000 files. A page takes one of them here, and two in the balancer. */
const PAGES_OF_A_PROCESS = 8_000;
/** Of the open pages: those whose member is looking at it. */
const PRESENT_SHARE = 0.05;
const ENDING_SHARE = 0.3;
const RENEWED_SHARE = 0.1;
const BULK = 250;
/** One server in twenty is lost. */
const LOST = Math.max(1, Math.floor(SERVERS / 20));
/** Begun in a second, for each member: what an hour brings, in a minute. */
const PER_MEMBER: Rates = { registrations: 2e-5, devices: 5e-5, claims: 5e-5, messages: 5e-5 };
/** Recently begun work goes on beside each fault. */
const BESIDE = 0.4;
/** Of one kind of call, alone. */
const LONGEST_COST_MS = 5_000;
const RECOVERED_WITHIN_MS = 120_000;
/** By default PostgreSQL takes 100, and keeps three for its administrators. */
const DEFAULT_CONNECTIONS = 100 - 3;

const seconds = (value: number) => (Number.isNaN(value) ? "–" : `${(value / 1_000).toFixed(1)} s`);
const times = (rates: Rates, factor: number): Rates => ({
  registrations: rates.registrations * factor,
  devices: rates.devices * factor,
  claims: rates.claims * factor,
  messages: rates.messages * factor,
});
/** A small club's too would be fewer than one in a part. */
const LEAST = 0.3;
const PEAK = times(PER_MEMBER, Math.max(MEMBERS, LEAST / PER_MEMBER.registrations));
const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
const timed = async <Result>(what: string, act: () => Promise<Result>): Promise<Result> => {
  const from = performance.now();
  const result = await act();
  say(`${what}: ${seconds(performance.now() - from)}`);
  return result;
};
async function until(what: string, isSo: () => Promise<boolean> | boolean, withinMs = RECOVERED_WITHIN_MS) {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > withinMs) {
      complaints.push(`after ${withinMs / 1_000} s: ${what} is not so`);
      return Number.NaN;
    }
    await wait(250);
  }
  return performance.now() - from;
}

/** Everything that must not be: each is printed, and fails the bench. */
const complaints: string[] = [];
const ends: (() => Promise<unknown>)[] = [];

interface Part {
  name: string;
  kinds: Map<string, Kind>;
  used: Map<string, Used>;
  busy: number;
  tookS: number;
  notes: string[];
}
const parts: Part[] = [];

interface Day {
  database: Database;
  club: DayClub;
  panels: Panel[];
  work: Work;
  asking: Asking;
  pages: Helper<PagesQuestion, PagesAnswer>[];
  /** Members with an open page, in the processes' order. */
  pageOwners: DayMember[][];
  doubles: { lost: Doubles; rest: Doubles };
  cluster: Awaited<ReturnType<typeof startCluster>>;
  watching: Watch;
  wire: WireChange[];
}

async function takeWire({ doubles, wire }: Pick<Day, "doubles" | "wire">): Promise<void> {
  for (const each of [doubles.lost, doubles.rest]) for (const change of await each.changes()) wire.push(change);
}

/** Adds what pages report to the part under way. */
let reported: (answer: PagesAnswer) => void = () => {};

/** Runs a part of the day, and keeps what was measured in it. */
async function part(day: Day, name: string, act: (notes: string[]) => Promise<void>): Promise<Part> {
  const { asking, pages, watching } = day;
  const kinds = new Map<string, Kind>();
  const gather = (some: Iterable<[string, Kind]>) => {
    for (const [kind, { took, failed }] of some) {
      const known = kinds.get(kind) ?? { took: [], failed: {} };
      kinds.set(kind, known);
      for (const each of took) known.took.push(each);
      for (const [why, count] of Object.entries(failed)) known.failed[why] = (known.failed[why] ?? 0) + count;
    }
  };
  reported = ({ kinds: some = [] }) => gather(some);
  for (const each of pages) await each.ask({ report: true });
  watching.take();
  asking.take();
  const notes: string[] = [];
  const from = performance.now();
  await act(notes);
  const tookS = (performance.now() - from) / 1_000;
  const { used, busy } = watching.take();
  gather(asking.take());
  for (const each of pages) reported(await each.ask({ report: true }));
  const made: Part = { name, kinds, used, busy, tookS, notes };
  parts.push(made);
  printPart(made);
  return made;
}

function printPart({ name, kinds, used, busy, tookS, notes }: Part): void {
  console.log(`\n${name}: ${tookS.toFixed(0)} s, the machine's processors ${(busy * 100).toFixed(0)} % busy`);
  for (const note of notes) console.log(`  ${note}`);
  const calls = [...kinds].filter(([kind]) => !kind.startsWith("("));
  if (calls.length > 0)
    printTable([
      ["call", "answered", "a second", "p50", "p99", "longest", "failed (0: no answer)"],
      ...calls.map(([kind, { took, failed }]) => [
        ...[kind, String(took.length), (took.length / tookS).toFixed(1)],
        ...[0.5, 0.99, 1].map((share) => (took.length === 0 ? "–" : ms(at(took, share)))),
        Object.entries(failed)
          .map(([why, count]) => `${why}: ${count}`)
          .join(", "),
      ]),
    ]);
  printTable([
    ["process", "CPU", "of one processor", "memory at most"],
    ...[...used].map(([who, { cpuS, peakMb }]) => [
      ...[who, `${cpuS.toFixed(1)} s`, `${((cpuS / tookS) * 100).toFixed(0)} %`, `${peakMb.toFixed(0)} MB`],
    ]),
  ]);
}

const panelsOf = (used: Map<string, Used>) =>
  [...used].reduce((sum, [name, { cpuS }]) => sum + (name.startsWith("panel") ? cpuS : 0), 0);
const postgresOf = (used: Map<string, Used>) => used.get("PostgreSQL")?.cpuS ?? 0;

async function start() {
  const folder = await mkdtemp(join(tmpdir(), "krug-day-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const cluster = await startCluster({
    ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on", autovacuum: "on" },
    ...{ shared_buffers: "1GB", max_wal_size: "4GB", max_connections: 100 },
  });
  ends.unshift(() => cluster.end());
  await writeFile(join(folder, "master.key"), randomBytes(32).toString("base64"), { mode: 0o600 });
  const panelEnv = async () => ({
    DATABASE_URL: cluster.url,
    MASTER_KEY_FILE: join(folder, "master.key"),
    LOG_LEVEL: "warn",
    TRUSTED_PROXIES: "127.0.0.1",
    DATA_DIR: await mkdtemp(join(folder, "panel-")),
  });
  const first = await startPanel(await panelEnv());
  ends.unshift(() => first.stop("SIGKILL"));
  // It has created the tables. It must not find an ordinary club while the rows come in.
  await first.stop();

  const login = newSshKey();
  const [lost, rest] = [
    await startDoubles(LOST, login.publicKey),
    await startDoubles(Math.max(1, SERVERS - LOST), login.publicKey),
  ];
  for (const each of [lost, rest]) ends.unshift(() => each.end());
  const database = openPostgres(cluster.url);
  ends.unshift(() => database.close());
  const places = [...lost.places, ...rest.places];
  const club = await timed(`${MEMBERS} members, ${MEMBERS * CONFIGS_OF_EACH} configs, ${places.length} servers`, () =>
    fillDay(database, join(folder, "master.key"), { places, login, members: MEMBERS }),
  );
  await first.restart();
  const panels = [first];
  while (panels.length < PANELS) {
    const panel = await startPanel(await panelEnv());
    ends.unshift(() => panel.stop("SIGKILL"));
    panels.push(panel);
  }
  return { folder, cluster, database, club, panels, doubles: { lost, rest } };
}

async function startBalancers(panels: readonly Panel[]): Promise<{ urls: string[]; pids: number[] }> {
  const count = Math.ceil(PAGES / PAGES_OF_A_PROCESS);
  const helpers = Array.from({ length: count }, () =>
    startHelper<{ panels: string[] }, { url: string }>("../bench/day/balancer-process.ts"),
  );
  for (const helper of helpers) ends.unshift(() => helper.end());
  const answers = await Promise.all(helpers.map((helper) => helper.ask({ panels: panels.map(({ url }) => url) })));
  return { urls: answers.map(({ url }) => url), pids: helpers.map(({ process }) => process.pid ?? 0) };
}

/** What one of each costs, alone: the rest of the machine's work is measured before and taken off. */
async function costs(day: Day): Promise<Map<string, Cost>> {
  const { asking, watching, club, database, work } = day;
  const found = new Map<string, Cost>();
  const over = async (act: () => Promise<unknown>) => {
    watching.take();
    const from = performance.now();
    await act();
    const tookS = (performance.now() - from) / 1_000;
    const { used } = watching.take();
    return { panels: panelsOf(used) * 1_000, postgres: postgresOf(used) * 1_000, tookS };
  };
  const idle = await over(() => wait(Math.min(SECONDS, 30) * 1_000));
  const base = { panels: idle.panels / idle.tookS, postgres: idle.postgres / idle.tookS };
  found.set("idle second", base);
  const each = async (what: string, count: number, act: (number: number) => Promise<unknown>, atOnce = 8) => {
    let next = 0;
    const enough = performance.now() + LONGEST_COST_MS;
    const hand = async () => {
      while (next < count && performance.now() < enough) await act(next++);
    };
    const all = await over(() => Promise.all(Array.from({ length: atOnce }, hand)));
    const cost = (of: keyof Cost) => Math.max(0, (all[of] - base[of] * all.tookS) / next);
    found.set(what, { panels: cost("panels"), postgres: cost("postgres") });
  };
  const some = club.members.slice(0, 400);
  const tokens = await signInAll(
    database,
    some.map(({ id }) => id),
  );
  const token = (number: number) => tokens[number % tokens.length] ?? "";
  const reads = ["/auth/me", "/vpn/configs", "/payments/own", "/vpn/traffic?days=30", "/vpn/stats", "/support/unread"];
  for (const path of reads) await each(`GET ${path}`, 600, (nth) => asking.ask("(cost)", { path, token: token(nth) }));
  await each("GET /vpn/configs/{id}/stats", 600, (nth) =>
    asking.ask("(cost)", { path: `/vpn/configs/${some[nth % some.length]?.configs[0]?.id}/stats`, token: token(nth) }),
  );
  await each("GET / (the page)", 300, (nth) => asking.ask("(cost)", { path: "/", token: token(nth), page: true }));
  await each("POST /auth/register", 24, () => work.acts.registrations(), 2);
  await each("POST /vpn/configs", 80, () => work.acts.devices());
  await each("POST /support/messages", 100, () => work.acts.messages());
  await each("a payment, claimed and confirmed", 60, () => work.acts.claims(), 4);
  // What every panel hears, whoever it is for.
  const ids = Array.from({ length: 150 }, () => crypto.randomUUID());
  const message = JSON.stringify(["bench", "live.member.account", ids]);
  await each("a message between panels, at one panel", 1_000, () =>
    sql`select pg_notify('krug', ${message})`.execute(database.db),
  );
  const heard = found.get("a message between panels, at one panel");
  if (heard) heard.panels /= PANELS;
  return found;
}

/** When a change of this kind first came to the wire after a moment, by public key. */
function firstAfter(wire: readonly WireChange[], isOn: boolean, since: ReadonlyMap<string, number>) {
  const lags = new Map<string, number>();
  for (const [key, on, when] of wire) {
    const from = since.get(key);
    if (on === isOn && from !== undefined && when >= from && !lags.has(key)) lags.set(key, when - from);
  }
  return lags;
}
function lagNote(what: string, lags: ReadonlyMap<string, number>, expected: number, limitMs: number | null): string {
  const all = [...lags.values()];
  const missing = expected - lags.size;
  const p99 = at(all, 0.99);
  if (missing > 0) complaints.push(`${what}: ${missing} of ${expected} never came`);
  if (limitMs !== null && p99 > limitMs) complaints.push(`${what}: p99 ${seconds(p99)}, not ${seconds(limitMs)}`);
  return `${what}: ${expected}, p50 ${seconds(median(all))}, p99 ${seconds(p99)}, longest ${seconds(at(all, 1))}`;
}
const LAG_LIMIT_MS = 5_000;

/** From the request of each device made since `from` to its peer. */
async function devicesNote(day: Day, from: number, limitMs: number | null): Promise<string> {
  await takeWire(day);
  const made = [...day.work.ledger.devices].filter(([, { sentAt }]) => sentAt >= from);
  const keys = await keysOf(
    day.database,
    made.map(([id]) => id),
  );
  const since = new Map(made.flatMap(([id, { sentAt }]) => [[keys.get(id) ?? id, sentAt] as const]));
  return lagNote("new devices on the wire after their request", firstAfter(day.wire, true, since), since.size, limitMs);
}
async function keysOf(database: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; public_key: string }>`
    select id, public_key from configs where id = any(${[...ids]}::text[])`.execute(database.db);
  return new Map(rows.map(({ id, public_key }) => [id, public_key]));
}

async function openPages({ pages, pageOwners, tokens, urls }: OpenedPages): Promise<void> {
  await Promise.all(
    pages.map((helper, index) =>
      helper.ask({
        open: (pageOwners[index] ?? []).map(({ id, configs }) => ({
          token: tokens.get(id) ?? "",
          configIds: configs.map((config) => config.id),
        })),
        urls,
        overMs: SECONDS * 1_000,
        presentShare: PRESENT_SHARE,
      }),
    ),
  );
}
interface OpenedPages {
  pages: Day["pages"];
  pageOwners: DayMember[][];
  tokens: ReadonlyMap<string, string>;
  urls: string[];
}
/** 30,000 subscriptions end within a minute, and some of them are renewed. */
async function midnight(day: Day): Promise<void> {
  const { database, club, pages, pageOwners } = day;
  const ending = club.members.filter((_, index) => index % 10 < ENDING_SHARE * 10);
  const first = Date.now() + 10_000;
  const endOf = new Map(ending.map(({ id }, index) => [id, first + Math.floor((index * 60_000) / ending.length)]));
  await part(day, `Midnight: ${ending.length} subscriptions end within a minute`, async (notes) => {
    await sql`
      update members set subscription_end = ends.at
      from unnest(${[...endOf.keys()]}::text[], ${[...endOf.values()]}::bigint[]) as ends(id, at) where ends.id = members.id`.execute(
      database.db,
    );
    const since = new Map(
      ending.flatMap(({ id, configs }) => configs.map(({ publicKey }) => [publicKey, endOf.get(id) ?? 0] as const)),
    );
    await wait(Math.max(0, first + 60_000 - Date.now()));
    let lags = new Map<string, number>();
    await until("every ended peer left", async () => {
      await takeWire(day);
      lags = firstAfter(day.wire, false, since);
      return lags.size === since.size || wait(1_000, false);
    });
    notes.push(lagNote("peers off the wire after their end", lags, since.size, LAG_LIMIT_MS));
    const told: number[] = [];
    let expected = 0;
    for (const [process, helper] of pages.entries()) {
      const owners = pageOwners[process] ?? [];
      expected += owners.filter(({ id }) => endOf.has(id)).length;
      const answer = await helper.ask({ report: true });
      for (const [page, when] of answer.heard ?? []) {
        const end = endOf.get(owners[page]?.id ?? "");
        if (end !== undefined && when >= end) told.push(when - end);
      }
      reported(answer);
    }
    notes.push(
      `pages told: ${told.length} of ${expected}, p50 ${seconds(median(told))}, p99 ${seconds(at(told, 0.99))}`,
    );
    if (told.length < expected) complaints.push(`midnight: ${expected - told.length} pages were not told`);
  });
  const renewed = ending.filter((_, index) => index % (1 / RENEWED_SHARE) === 0);
  await part(day, `Renewals: staff extend ${renewed.length} of them, ${BULK} at once`, async (notes) => {
    const since = new Map<string, number>();
    for (let from = 0; from < renewed.length; from += BULK) {
      const some = renewed.slice(from, from + BULK);
      const sentAt = Date.now();
      const body = { ids: some.map(({ id }) => id), action: "extend", days: 30 };
      const asked = { method: "POST", path: "/admin/users/bulk", body };
      if ((await day.work.staff("POST /admin/users/bulk", asked)) === null) complaints.push("a renewal failed");
      for (const { configs } of some) for (const { publicKey } of configs) since.set(publicKey, sentAt);
    }
    let lags = new Map<string, number>();
    await until("every renewed peer is back", async () => {
      await takeWire(day);
      lags = firstAfter(day.wire, true, since);
      return lags.size === since.size || wait(500, false);
    });
    notes.push(lagNote("peers back on the wire after the request", lags, since.size, LAG_LIMIT_MS));
  });
}

async function faults(day: Day): Promise<void> {
  const { work, panels, doubles, cluster, database, pages } = day;
  const beside = times(PEAK, BESIDE);
  const open = async () => {
    let all = 0;
    for (const each of pages) {
      const answer = await each.ask({ report: true });
      reported(answer);
      all += answer.open ?? 0;
    }
    return all;
  };
  /** Once their streams have ended. */
  const pagesBack = async () => {
    await until("streams have ended", async () => (await open()) < PAGES || wait(100, false), 10_000);
    return pagesOpen();
  };
  const pagesOpen = () => until("every page is open", async () => (await open()) === PAGES || wait(500, false));

  await part(day, `${LOST} of ${SERVERS} servers fall silent, and come back`, async (notes) => {
    const from = Date.now();
    work.set(beside);
    doubles.lost.freeze();
    await wait(SECONDS * 500);
    doubles.lost.thaw();
    await wait(SECONDS * 500);
    await work.settle();
    const back = await until("devices made meanwhile are on the servers that were lost", () => wireIsRight(day));
    notes.push(`the wire is right ${seconds(back)} after the end`);
    notes.push(await devicesNote(day, from, null));
  });

  await part(day, "One of three panels is killed", async (notes) => {
    const from = Date.now();
    work.set(beside);
    await wait(5_000);
    const { rows } = await sql<{ holder: string }>`
      select split_part(holder, ' ', 1) as holder from leases where name like 'server:%'
      group by 1 order by count(*) desc limit 1`.execute(database.db);
    const id = rows[0]?.holder ?? "";
    const ids = await Promise.all(panels.map(({ dataDir }) => readFile(join(dataDir, "panel-id"), "utf8")));
    const dead = panels[ids.findIndex((each) => each.trim() === id)];
    const leases = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from leases where holder like ${`${id} %`}`.execute(database.db);
      return rows[0]?.count ?? 0;
    };
    const held = await leases();
    await dead?.stop("SIGKILL");
    const killedAt = performance.now();
    const takenOver = until("the dead panel's leases are taken over", async () => (await leases()) === 0);
    const back = await pagesBack();
    notes.push(`all ${PAGES} pages open again after ${seconds(back)}`);
    notes.push(`its ${held} leases taken over after ${seconds(await takenOver)}`);
    await wait(Math.max(0, SECONDS * 1_000 - (performance.now() - killedAt)));
    await work.settle();
    await dead?.restart();
    await wait(2_000);
    notes.push(await devicesNote(day, from, null));
  });

  await part(day, "PostgreSQL is restarted", async (notes) => {
    const from = Date.now();
    work.set(beside);
    await wait(5_000);
    const away = performance.now();
    const back = pagesBack();
    await cluster.stop("SIGINT");
    await wait(2_000);
    await cluster.start();
    notes.push(`away for ${seconds(performance.now() - away)}`);
    notes.push(`every panel serves after ${seconds(await until("every panel serves", () => areUp(panels)))}`);
    notes.push(`all ${PAGES} pages open again ${seconds(await back)} after it went`);
    await wait(Math.max(0, SECONDS * 1_000 - (performance.now() - away)));
    await work.settle();
    await wait(2_000);
    notes.push(await devicesNote(day, from, null));
  });
}
const areUp = async (panels: readonly Panel[]) =>
  (await Promise.all(panels.map(({ url }) => fetch(`${url}/health`).catch(() => null)))).every((answer) => answer?.ok);

/** The keys that the database wants on the wire now, and those that are there. */
async function wire({ database, doubles }: Day) {
  const { rows } = await sql<{ public_key: string }>`
    select public_key from configs join members on members.id = member_id
    where configs.deleted_at is null and is_blocked = 0 and dormant_since is null and is_active = 1
      and (is_unlimited = 1 or subscription_end > ${Date.now()})`.execute(database.db);
  const there = [...(await doubles.lost.keys()), ...(await doubles.rest.keys())].flat();
  return { wanted: new Set(rows.map(({ public_key }) => public_key)), there: new Set(there) };
}
async function wireIsRight(day: Day): Promise<boolean> {
  const { wanted, there } = await wire(day);
  return (wanted.size === there.size && [...wanted].every((key) => there.has(key))) || wait(1_000, false);
}

/** Everything acknowledged is in the database, once; and the wire is the database's. */
async function compare(day: Day): Promise<void> {
  const { database, work } = day;
  const { ledger } = work;
  const rows = async <Row>(statement: ReturnType<typeof sql<Row>>) => (await statement.execute(database.db)).rows;
  const lost = (what: string, all: Iterable<string>, found: ReadonlySet<string>) => {
    const missing = [...all].filter((each) => !found.has(each));
    if (missing.length > 0) complaints.push(`${missing.length} ${what} are lost, e.g. ${missing[0]}`);
  };
  const devices = await rows(sql<{ key: string }>`select id || ' ' || member_id || ' ' || name as key from configs`);
  lost(
    "devices",
    [...ledger.devices].map(([id, { memberId, name }]) => `${id} ${memberId} ${name}`),
    new Set(devices.map(({ key }) => key)),
  );
  const messages = await rows(sql<{ key: string }>`select member_id || ' ' || content as key from support_texts`);
  lost(
    "messages",
    [...ledger.messages].map(([content, id]) => `${id} ${content}`),
    new Set(messages.map(({ key }) => key)),
  );
  if (new Set(messages.map(({ key }) => key)).size !== messages.length) complaints.push("a message exists twice");
  const claims = await rows(sql<{ member_id: string }>`select member_id from payment_claims`);
  lost("claims", ledger.claims, new Set(claims.map(({ member_id }) => member_id)));
  if (claims.length !== new Set(claims.map(({ member_id }) => member_id)).size) complaints.push("a claim exists twice");
  const paid = await rows(sql<{ member_id: string }>`select member_id from payments where status = 'paid'`);
  lost("payments", ledger.paid, new Set(paid.map(({ member_id }) => member_id)));
  const newcomers = await rows(
    sql<{ username: string }>`select username from members where username like 'newcomer-%'`,
  );
  lost("registrations", ledger.newcomers, new Set(newcomers.map(({ username }) => username)));
  const counts = `${ledger.newcomers.size} registrations, ${ledger.devices.size} devices, ${ledger.messages.size} messages, ${ledger.claims.size} claims, ${ledger.paid.size} payments`;
  say(`acknowledged: ${counts}; without an answer in the end: ${ledger.open.length}`);
  const counted = await rows(sql<{ id: string }>`
    select id from config_counts where kind = 'interface' group by id
    having sum(configs) <> (select count(*) from configs where interface_id = config_counts.id and deleted_at is null)`);
  if (counted.length > 0)
    complaints.push(`${counted.length} interfaces have another number of configs than is recorded`);
  const right = await until("the wire is the database's", () => wireIsRight(day));
  const { wanted, there } = await wire(day);
  const [lacking, extra] = [[...wanted].filter((key) => !there.has(key)), [...there].filter((key) => !wanted.has(key))];
  say(`the wire: ${there.size} peers, ${lacking.length} lacking, ${extra.length} too many, after ${seconds(right)}`);
  for (const what of new Set(work.wrong)) complaints.push(what);
}

/** `krug check` over the whole club. */
async function check({ cluster, panels }: Day, folder: string): Promise<void> {
  const env = {
    ...{ PATH: process.env.PATH, DATABASE_URL: cluster.url, MASTER_KEY_FILE: join(folder, "master.key") },
    ...{ DATA_DIR: panels[0]?.dataDir, LOCAL_SERVER: "off", LANG: "en" },
  };
  const run = promisify(execFile)(process.execPath, [`${ROOT}apps/server/dist/cli.js`, "check"], {
    env,
    maxBuffer: 2 ** 26,
  });
  const { stdout, code = 0 } = await run.then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  if (code === 1) complaints.push("krug check found problems");
  // It cannot read a double, whose wire is compared above.
  for (const line of stdout.split("\n")) if (line !== "" && !line.startsWith("unknown server")) console.log(line);
}

function model(found: ReadonlyMap<string, Cost>, quiet: Part, ended: Part | undefined): void {
  const nothing = { panels: 0, postgres: 0 };
  const cost = (what: string) => found.get(what) ?? nothing;
  const idle = cost("idle second");
  const heard = cost("a message between panels, at one panel");
  // What calls do not explain is the streams': signs of life, and whether their sessions still count.
  const calls = [...quiet.kinds].map(([kind, { took }]) => ({ count: took.length, cost: cost(kind) }));
  const streams = (of: keyof Cost, all: number) =>
    Math.max(
      0,
      all * 1_000 - idle[of] * quiet.tookS - calls.reduce((sum, each) => sum + each.count * each.cost[of], 0),
    ) / quiet.tookS;
  const perPage = {
    panels: streams("panels", panelsOf(quiet.used)) / PAGES,
    postgres: streams("postgres", postgresOf(quiet.used)) / PAGES,
  };
  const ends = Math.floor(club100k.members * ENDING_SHARE);
  const per = (of: keyof Cost) => {
    if (ended === undefined) return 0;
    const all = of === "panels" ? panelsOf(ended.used) : postgresOf(ended.used);
    const usual = (of === "panels" ? panelsOf(quiet.used) : postgresOf(quiet.used)) / quiet.tookS;
    return Math.max(0, ((all - usual * ended.tookS) * 1_000) / (MEMBERS * ENDING_SHARE));
  };
  const scale = club100k.members / MEMBERS;
  const peak = times(PER_MEMBER, club100k.members);
  const happenings: Happening[] = [
    { what: "servers, each", perSecond: club100k.servers, cost: perServer(idle) },
    { what: "open pages, each", perSecond: PAGES * scale, cost: perPage },
    ...[...quiet.kinds].map(([kind, { took }]) => ({
      what: kind,
      // Staff's tabs do not grow with the club.
      perSecond: (took.length / quiet.tookS) * (kind.includes("/admin/") ? 1 : scale),
      cost: cost(kind),
    })),
    { what: "POST /auth/register", perSecond: peak.registrations, cost: cost("POST /auth/register") },
    { what: "POST /vpn/configs", perSecond: peak.devices, cost: cost("POST /vpn/configs") },
    { what: "POST /support/messages", perSecond: peak.messages, cost: cost("POST /support/messages") },
    {
      what: "a payment, claimed and confirmed",
      perSecond: peak.claims,
      cost: cost("a payment, claimed and confirmed"),
    },
  ];
  const midnight = {
    what: "a subscription that ends",
    perSecond: ends / 60,
    cost: { panels: per("panels"), postgres: per("postgres") },
  };
  console.log("\nThe model: what each costs, and how often it happens at the peak of a day of 100,000 members");
  printTable([
    ["what", "a second", "panels' CPU", "PostgreSQL's CPU"],
    ...[...happenings, midnight].map((each) => [
      ...[each.what, each.perSecond.toFixed(1), ms(each.cost.panels), ms(each.cost.postgres)],
    ]),
    ["a message between panels, at one panel", "", `${heard.panels.toFixed(3)} ms`, `${heard.postgres.toFixed(3)} ms`],
  ]);
  // Each change is a few messages to all panels.
  const messages = happenings.filter(({ what }) => what.startsWith("POST") || what.startsWith("a payment"));
  const heardASecond = MESSAGES_OF_A_CHANGE * messages.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const eachPanel = { panels: heardASecond * heard.panels + OWN_MS, postgres: OWN_MS };
  const rows = [1, 3, 10].flatMap((panels) =>
    [
      { when: "the day's peak", of: happenings },
      { when: "midnight in it", of: [...happenings, midnight] },
    ].map(({ when, of }) => {
      const parts = { happenings: of, eachPanel, postgresCores: POSTGRES_CORES };
      const made = estimate(parts, panels);
      return [
        ...[
          String(panels),
          when,
          `${(made.panelLoad * 100).toFixed(0)} %`,
          `${(made.postgresLoad * 100).toFixed(0)} %`,
        ],
        ...[made.connections > DEFAULT_CONNECTIONS ? `${made.connections}: raise the limit` : String(made.connections)],
        ...[`${made.peaks.toFixed(1)} times`, made.first],
      ];
    }),
  );
  console.log(`\nWith processors like these: one for each panel's main thread, ${POSTGRES_CORES} for PostgreSQL`);
  printTable([
    ["panels", "load", "of a panel's processor", "of PostgreSQL's", "connections", "fits", "gives first"],
    ...rows,
  ]);
}
const club100k = { members: 100_000, servers: 400 };
const POSTGRES_CORES = 4;
const MESSAGES_OF_A_CHANGE = 5;
/** An idle panel's own second (docs/measurements.md, an idle panel). */
const OWN_MS = 3;
const perServer = (idle: Cost): Cost => ({ panels: idle.panels / SERVERS, postgres: idle.postgres / SERVERS });

async function day(): Promise<void> {
  const { folder, cluster, database, club, panels, doubles } = await timed("the club is there", start);
  const balancer = await startBalancers(panels);
  const groups = [
    ...panels.map((panel, index) => ({ name: `panel ${index + 1}`, pids: () => [panel.pid()] })),
    { name: "PostgreSQL", pids: postgresIn(cluster.folder) },
    { name: "(servers' doubles)", pids: () => [doubles.rest.pid(), doubles.lost.pid()] },
    { name: "(balancer)", pids: () => balancer.pids },
    { name: "(pages)", pids: () => pages.map(({ process }) => process.pid ?? 0) },
    { name: "(this process)", pids: () => [process.pid] },
  ];
  const pages: Day["pages"] = [];
  const watching = watch(groups);
  ends.unshift(async () => watching.end());
  const peersWanted = club.members.length * CONFIGS_OF_EACH;
  await timed(`the empty wire gets ${peersWanted} peers`, () =>
    until(
      "all peers are on the wire",
      async () => {
        const counts = [...(await doubles.lost.peers()), ...(await doubles.rest.peers())];
        return counts.reduce((sum, count) => sum + count, 0) >= peersWanted || wait(1_000, false);
      },
      10 * 60_000,
    ),
  );
  await takeWire({ doubles, wire: [] });

  const asking = makeAsking(balancer.urls);
  const byLot = (digit: number) => club.members.filter((_, index) => index % 10 === digit);
  const pageMembers = club.members.slice(0, PAGES);
  const tokens = new Map<string, string>();
  const signIn = async (some: readonly DayMember[]) => {
    const made = await signInAll(
      database,
      some.map(({ id }) => id),
    );
    for (const [index, { id }] of some.entries()) tokens.set(id, made[index] ?? "");
    return some.map((member) => ({ ...member, token: tokens.get(member.id) ?? "" }));
  };
  await signIn(pageMembers);
  const [makers, payers, writers] = [await signIn(byLot(6)), await signIn(byLot(7)), await signIn(byLot(8))];
  const work = await startWork({ asking, adminToken: club.adminToken, makers, payers, writers });
  const count = Math.ceil(PAGES / PAGES_OF_A_PROCESS);
  for (let nth = 0; nth < count; nth += 1) {
    const helper = startHelper<PagesQuestion, PagesAnswer>("../bench/day/pages-process.ts");
    ends.unshift(() => helper.end());
    pages.push(helper);
  }
  const share = Math.ceil(PAGES / count);
  const pageOwners = pages.map((_, index) => pageMembers.slice(index * share, (index + 1) * share));
  const here: Day = { database, club, panels, work, asking, pages, pageOwners, doubles, cluster, watching, wire: [] };

  const found = await timed("what each call costs", () => costs(here));
  await part(here, `Morning: ${PAGES} pages open`, () => openPages({ pages, pageOwners, tokens, urls: balancer.urls }));
  const quiet = await part(here, "They stay open", () => wait(SECONDS * 1_000));
  await part(here, "Registrations, and the day's other writing", async (notes) => {
    const from = Date.now();
    work.set(PEAK);
    await wait(SECONDS * 1_000);
    await work.settle();
    await wait(2_000);
    notes.push(await devicesNote(here, from, LAG_LIMIT_MS));
  });
  await midnight(here);
  const ended = parts.find(({ name }) => name.startsWith("Midnight"));
  await faults(here);
  work.set(AT_REST);
  await work.settle();
  for (const each of pages) await each.ask({ close: true });
  await work.end();
  console.log("");
  await compare(here);
  await timed("krug check", () => check(here, folder));
  model(found, quiet, ended);
  const errors = panels.flatMap((panel) =>
    panel
      .output()
      .split("\n")
      .filter((line) => /"level":(50|60)/.test(line)),
  );
  for (const line of new Set(errors.map((each) => each.slice(0, 400)))) complaints.push(`a panel's log: ${line}`);
}

const endAll = async () => {
  for (const end of ends.splice(0)) await end();
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)));
// The bench's own end comes first: it leaves nothing running.
setTimeout(() => {
  console.error("The day took too long.");
  void endAll().finally(() => process.exit(1));
}, LONGEST_MS).unref();
await prepareBench(LONGEST_MS + 60_000);
const began = performance.now();
try {
  await day();
} catch (error) {
  complaints.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
await endAll();
console.log(
  `\n${seconds(performance.now() - began)} in all. ${complaints.length === 0 ? "Nothing was lost." : "What is wrong:"}`,
);
for (const complaint of complaints) console.log(`  ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
