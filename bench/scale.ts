import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DAY_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { Page, Request } from "playwright-core";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { type Database, readerOf } from "../apps/server/src/platform/database/database.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { startClub } from "../apps/server/testing/start-club.ts";
import { openBrowser } from "../e2e/browser.ts";
import { startPanel } from "../e2e/panel.ts";
import { countCpu } from "./cpu.ts";
import { ADMIN, largeClub } from "./large-club.ts";
import { prepareBench } from "./run.ts";
import { signIn } from "./sign-in.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench:scale [-- MEMBERS [lists|screens [PATH]]]`: the staff's lists and screens in a club of 100,000 members, or of
 * another size; with PATH, only lists whose path contains it. A list's first page is compared with the same statements sent to SQLite
 * by themselves, by processor time, which other work on the machine changes least; a screen with the same screen of an empty club. The
 * two alternate, so other load affects both. The table marks what exceeds its budget.
 */
/** At most this many times its bare SQL, besides what any answer costs, and for the slowest of a hundred this long. */
const OF_SQL = 2;
const LIST_P99_MS = 30;
const SCREEN_BUDGET_MS = 1_500;
/** Per list: this many answers, or as many as fit in this time. */
const ANSWERS = 40;
const LIST_FOR_MS = 2_500;
const ROUNDS = 3;
const LONGEST_MS = 40 * 60_000;

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const month = new Date().toISOString().slice(0, 7);

/** `as`: the role that asks; a moderator's answers leave out VIP members. */
interface List {
  what: string;
  path: string;
  as?: "moderator";
}
const LISTS: List[] = [
  { what: "members by name", path: "/users?limit=50" },
  { what: "… to a moderator", path: "/users?limit=50", as: "moderator" },
  { what: "… by subscription", path: "/users?limit=50&sort=subscription&order=desc" },
  { what: "… by last handshake", path: "/users?limit=50&sort=lastHandshake&order=desc" },
  { what: "… by traffic", path: "/users?limit=50&sort=monthBytes&order=desc" },
  { what: "… the blocked", path: "/users?limit=50&state=blocked" },
  { what: "… found by name", path: "/users?limit=50&q=мельник" },
  { what: "how many members", path: "/admin/users/counts" },
  { what: "a member's page", path: "/admin/users/{member}" },
  { what: "everyone's configs", path: "/vpn/configs?scope=all&limit=50" },
  { what: "… to a moderator", path: "/vpn/configs?scope=all&limit=50", as: "moderator" },
  { what: "… found by name", path: "/vpn/configs?scope=all&limit=50&q=tv-7" },
  { what: "… by traffic", path: "/vpn/configs?scope=all&limit=50&sort=traffic&order=desc" },
  { what: "… the online", path: "/vpn/configs?scope=all&limit=50&filter=online" },
  { what: "payments of a month", path: `/admin/payments/history/${month}?limit=50` },
  { what: "… to a moderator", path: `/admin/payments/history/${month}?limit=50`, as: "moderator" },
  { what: "… the paid", path: `/admin/payments/history/${month}?limit=50&status=paid` },
  { what: "… found by name", path: `/admin/payments/history/${month}?limit=50&q=мельник` },
  { what: "a month's sums", path: `/admin/payments/summary/${month}` },
  { what: "who says he has paid", path: "/admin/payments/claims?limit=50" },
  { what: "invite codes", path: "/admin/invite-codes?limit=50" },
  { what: "… by state", path: "/admin/invite-codes/counts" },
  { what: "servers", path: "/admin/servers" },
  { what: "interfaces", path: "/admin/servers/interfaces" },
  { what: "what is on offer, in use", path: "/admin/catalog/usage" },
  { what: "who is online", path: "/admin/statistics/now" },
  { what: "… to a moderator", path: "/admin/statistics/now", as: "moderator" },
  { what: "traffic of a day", path: `/admin/statistics/traffic?span=day` },
  { what: "traffic of a year", path: `/admin/statistics/traffic?span=year` },
  { what: "… to a moderator", path: `/admin/statistics/traffic?span=year`, as: "moderator" },
  { what: "who used a day", path: `/admin/statistics/breakdown?span=day` },
  { what: "… to a moderator", path: `/admin/statistics/breakdown?span=day`, as: "moderator" },
  { what: "who used a month", path: `/admin/statistics/breakdown?span=month` },
  { what: "who used a year", path: `/admin/statistics/breakdown?span=year` },
  { what: "… to a moderator", path: `/admin/statistics/breakdown?span=year`, as: "moderator" },
  { what: "who used some days", path: `/admin/statistics/breakdown?from=${daysAgo(100)}&to=${daysAgo(40)}` },
  { what: "access rules", path: "/admin/rules" },
  { what: "the log", path: "/admin/audit?limit=50" },
  { what: "… to a moderator", path: "/admin/audit?limit=50", as: "moderator" },
  { what: "… of one act", path: "/admin/audit?limit=50&action=member.changed" },
  { what: "… found by name", path: "/admin/audit?limit=50&q=мельник" },
  { what: "conversations", path: "/admin/support/conversations?limit=30" },
  { what: "… to a moderator", path: "/admin/support/conversations?limit=30", as: "moderator" },
  { what: "… the unread", path: "/admin/support/conversations?limit=30&show=unread" },
  { what: "… one's own", path: "/admin/support/conversations?limit=30&show=mine", as: "moderator" },
  { what: "… found by a word", path: "/admin/support/conversations?limit=30&q=роутер" },
  { what: "what waits in support", path: "/admin/support/waiting" },
  { what: "tickets", path: "/admin/support/tickets?limit=30" },
  { what: "… to a moderator", path: "/admin/support/tickets?limit=30", as: "moderator" },
  { what: "… the open", path: "/admin/support/tickets?limit=30&status=open" },
  { what: "… found by name", path: "/admin/support/tickets?limit=30&q=мельник" },
  { what: "a conversation", path: "/admin/support/conversations/{member}/messages" },
];

const SCREENS: { what: string; path: string }[] = [
  { what: "members", path: "users" },
  { what: "a member's page", path: "users/{member}" },
  { what: "payments", path: "payments" },
  { what: "invite codes", path: "invites" },
  { what: "servers", path: "servers" },
  { what: "WireGuard settings", path: "wireguard" },
  { what: "interfaces", path: "interfaces" },
  { what: "statistics", path: "vpn" },
  { what: "everyone's configs", path: "configs" },
  { what: "access rules", path: "rules" },
  { what: "system", path: "system" },
  { what: "support", path: "support" },
  { what: "a conversation", path: "support?with={member}" },
  { what: "the log", path: "audit" },
];

interface Club {
  url: string;
  pid: number;
  tokens: { admin: string; moderator: string };
  /** A member whose page is measured. */
  member: string;
}

interface Sent {
  sql: string;
  parameters: readonly unknown[];
}

/** What each list queries, by a panel in this process: a statement counts if each of three answers sent it. */
async function statementsOfLists(dataDir: string, club: Omit<Club, "url" | "pid">): Promise<Map<string, Sent[]>> {
  const empty = await startClub({ localServer: "off" });
  empty.clock.advance(Date.now() - empty.clock.now().getTime());
  const panel = await empty.panelAt({ dataDir, databaseUrl: null, masterKeyFile: join(dataDir, "master.key") });
  let sent: Sent[] = [];
  const executor = panel.db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    sent.push(query);
    return execute(query, ...rest);
  };
  let reader = readerOf(panel.db);
  while (reader === undefined) {
    await wait(10);
    reader = readerOf(panel.db);
  }
  const read = reader.read;
  reader.read = (sql, parameters) => {
    sent.push({ sql, parameters });
    return read(sql, parameters);
  };
  const found = new Map<string, Sent[]>();
  for (const list of lists) {
    const answers: Sent[][] = [];
    for (let times = 0; times < 3; times += 1) {
      sent = [];
      const { url, headers } = askedOf(panel.origin, club, list);
      const answer = await fetch(url, { headers });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      await answer.text();
      answers.push(sent.filter(({ sql }) => /^\s*(select|with)\b/i.test(sql)));
    }
    const [first = [], ...others] = answers;
    found.set(
      nameOf(list),
      first.filter(({ sql }) => others.every((each) => each.some((other) => other.sql === sql))),
    );
  }
  await panel.stop();
  await empty.stop();
  return found;
}

const nameOf = ({ path, as }: List) => `${path} ${as ?? "admin"}`;

const askedOf = (origin: string, { tokens, member }: Omit<Club, "url" | "pid">, list: List) => ({
  url: `${origin}/api${list.path.replace("{member}", member)}`,
  headers: { authorization: `Bearer ${tokens[list.as ?? "admin"]}`, "x-background": "1" },
});

/** What the statements alone take, without the panel, in processor time, ms. */
function costOfSql({ db }: Database, statements: readonly Sent[]): number {
  const reader = readerOf(db);
  const before = process.cpuUsage();
  for (const { sql, parameters } of statements) reader?.read(sql, parameters);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A call that needs no statement while nothing changes: what any answer costs. */
const BARE = { what: "an answer without statements", path: "/maintenance" };
const IDLE_FOR_MS = 3_000;
const IDLE_SHARE = 0.05;

/** What a panel does after its start is over. */
async function untilIdle(pid: number): Promise<void> {
  for (;;) {
    const cpu = countCpu(pid);
    await wait(IDLE_FOR_MS);
    if (cpu() < IDLE_FOR_MS * IDLE_SHARE) return;
  }
}

/** Some ten thousand connected devices, for as long as the bench may take. */
const connect = (database: Database) =>
  database.transact((tx) =>
    sql`update traffic_counters set last_handshake_at = ${Date.now() + LONGEST_MS}
      where total_tx > 0 and (total_tx / 30000) % 6 = 0`.execute(tx),
  );

/** In turns: the panel's answer, and its statements by themselves. `floor`: the processor time of any answer, ms. */
async function measureList(
  club: Club,
  { list, statements, database, floor }: { list: List; statements: readonly Sent[]; database: Database; floor: number },
): Promise<{ cpu: number; row: string[] }> {
  const { url, headers } = askedOf(club.url, club, list);
  const ask = async () => {
    const began = performance.now();
    const answer = await fetch(url, { headers });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${body}`);
    return performance.now() - began;
  };
  const taken = { panel: [] as number[], cpu: [] as number[], sql: [] as number[] };
  const endsAt = performance.now() + LIST_FOR_MS;
  // The first rounds only warm up.
  for (let round = -3; round < ANSWERS && (round < 5 || performance.now() < endsAt); round += 1) {
    const used = countCpu(club.pid);
    const panel = await ask();
    const cpu = used();
    const sql = costOfSql(database, statements);
    if (round < 0) continue;
    taken.panel.push(panel);
    taken.cpu.push(cpu);
    taken.sql.push(sql);
  }
  // The panel's rounds come in between now and then: the middle one leaves them out.
  const [cpu, sql] = [at(taken.cpu, 0.5), at(taken.sql, 0.5)];
  const p99 = at(taken.panel, 0.99);
  const over = [
    cpu > OF_SQL * sql + floor ? `OVER ${times(OF_SQL)} of its SQL` : [],
    p99 > LIST_P99_MS ? `OVER ${LIST_P99_MS} ms at p99` : [],
  ];
  const row = [
    list.what,
    ms(at(taken.panel, 0.5)),
    ms(p99),
    `CPU ${ms(cpu)}`,
    `${statements.length} statements ${ms(sql)}`,
    times(Math.max(0, cpu - floor) / sql),
    over.flat().join(", "),
  ];
  return { cpu, row };
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const WITH_SECOND_FACTOR = {
  enabled: true,
  secret: null,
  uri: null,
  elevated: true,
  retryAfter: 0,
  recoveryCodesLeft: 10,
};

/** A screen is complete when it has sent no request for this long. */
const QUIET_MS = 200;

/** Watches the page's requests to the panel; resolves when the last answer has arrived and been painted. */
function listening(page: Page): () => Promise<number> {
  const waiting = new Set<Request>();
  let lastAnswer = 0;
  const isAsked = (request: Request) => /\/api\//.test(request.url()) && !/\/(events|stream)$/.test(request.url());
  page.on("request", (request) => isAsked(request) && waiting.add(request));
  const done = (request: Request) => {
    if (waiting.delete(request)) lastAnswer = performance.now();
  };
  page.on("requestfinished", done).on("requestfailed", done);
  return async () => {
    const first = performance.now();
    for (let since = first; ; ) {
      await wait(10);
      if (performance.now() - first > 30_000)
        throw new Error(`No answer to ${[...waiting].map((request) => request.url()).join(", ")}`);
      if (waiting.size > 0) since = performance.now();
      else if (performance.now() - since > QUIET_MS) break;
    }
    const before = performance.now();
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    return lastAnswer + (performance.now() - before);
  };
}

/** ms from navigation until the code can be typed, and from its last digit until the screen is usable; cold. */
async function usableAfter(browser: Browser, club: Club, screen: (typeof SCREENS)[number]): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "ru-RU" });
  await context.addCookies([{ name: "krug_session", value: club.tokens.admin, url: club.url }]);
  const page = await context.newPage();
  await page.route(/\/api\/totp\/[^/]+\/status$/, (route) => route.fulfill({ json: WITH_SECOND_FACTOR }));
  await page.route(/\/api\/totp\/[^/]+\/verify$/, (route) => route.fulfill({ json: { valid: true, retryAfter: 0 } }));
  const quiet = listening(page);
  const began = performance.now();
  await page.goto(`${club.url}/admin/${screen.path.replace("{member}", club.member)}`, { waitUntil: "commit" });
  const box = page.getByLabel("Цифра 1 из 6");
  await box.waitFor({ timeout: 60_000 });
  const untilCode = performance.now() - began;
  await box.click();
  await page.keyboard.type("12345");
  const typed = performance.now();
  await page.keyboard.type("6");
  const untilUsable = (await quiet()) - typed;
  await context.close();
  return untilCode + untilUsable;
}

async function measureScreen(browser: Browser, big: Club, empty: Club, screen: (typeof SCREENS)[number]) {
  const [ours, beside]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const [one, other] = [await usableAfter(browser, big, screen), await usableAfter(browser, empty, screen)];
    if (round < 0) continue;
    ours.push(one);
    beside.push(other);
  }
  const p50 = at(ours, 0.5);
  return [
    screen.what,
    ms(p50),
    ms(Math.max(...ours)),
    `empty club ${ms(at(beside, 0.5))}`,
    times(p50 / at(beside, 0.5)),
    p50 > SCREEN_BUDGET_MS ? `OVER ${SCREEN_BUDGET_MS} ms` : "",
  ];
}

await prepareBench(LONGEST_MS);

const members = Number(process.argv[2] ?? 100_000);
const only = process.argv[3];
const lists = LISTS.filter(({ path }) => path.includes(process.argv[4] ?? ""));
const made = await largeClub(members);
const age = made.madeInMs === null ? "was there already" : `was made in ${(made.madeInMs / 1000).toFixed(0)} s`;
console.log(`A club of ${members} members in ${(made.bytes / 1e9).toFixed(1)} GB: ${made.dataDir}, ${age}.`);
const env = { LOG_LEVEL: "info", ADMIN_USERNAME: ADMIN, ADMIN_PASSWORD: "correct horse battery" };
const database = await made.open();
await connect(database);
const usernameOf = async (role: "moderator") =>
  (
    await database.db
      .withTables<MemberTables>()
      .selectFrom("members")
      .select("username")
      .where("role", "=", role)
      .executeTakeFirstOrThrow()
  ).username;
const someone = await database.db
  .withTables<{ support_conversations: { member_id: string } }>()
  .selectFrom("support_conversations")
  .select("member_id")
  .executeTakeFirstOrThrow();
const people = {
  tokens: {
    admin: await signIn(database, ADMIN),
    moderator: await signIn(database, await usernameOf("moderator")),
  },
  member: someone.member_id,
};
const statements = only === "screens" ? new Map<string, Sent[]>() : await statementsOfLists(made.dataDir, people);
const [bigPanel, emptyPanel] = [await startPanel({ ...env, DATA_DIR: made.dataDir }), await startPanel(env)];
const emptyDatabase = await openSqlite(join(emptyPanel.dataDir, "krug.db"));
const browser = await openBrowser({ optimizes: true });
try {
  const big: Club = { url: bigPanel.url, pid: bigPanel.pid(), ...people };
  const emptyToken = await signIn(emptyDatabase, ADMIN);
  const empty: Club = {
    url: emptyPanel.url,
    pid: emptyPanel.pid(),
    tokens: { admin: emptyToken, moderator: emptyToken },
    member: ADMIN,
  };
  const rows = [["first page of a list, at the server", "p50", "p99", "", "beside", "ratio", ""]];
  if (only !== "screens") {
    await untilIdle(big.pid);
    const bare = await measureList(big, { list: BARE, statements: [], database, floor: 0 });
    rows.push([...bare.row.slice(0, 4), "", "", ""]);
    for (const list of lists) {
      const sent = statements.get(nameOf(list)) ?? [];
      rows.push((await measureList(big, { list, database, statements: sent, floor: bare.cpu })).row);
    }
  }
  printTable(rows.splice(0));
  console.log();
  rows.push(["screen, from its address until it is usable", "p50", "worst", "beside", "ratio", ""]);
  for (const screen of only === "lists" ? [] : SCREENS) rows.push(await measureScreen(browser, big, empty, screen));
  printTable(rows);
} finally {
  await browser.close();
  await database.close();
  await emptyDatabase.close();
  await bigPanel.remove();
  await emptyPanel.remove();
}
process.exit();
