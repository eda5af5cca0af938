import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMemberRow } from "../apps/server/src/features/members/members/new-member.ts";
import { insert } from "../apps/server/src/features/members/members/repository.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { openPostgres } from "../apps/server/src/platform/database/postgres.ts";
import { listen } from "../apps/server/testing/listen.ts";
import { signIn } from "../bench/sign-in.ts";
import { printTable } from "../bench/table.ts";
import { type Panel, startPanel } from "../e2e/panel.ts";
import { startCluster } from "../scripts/postgres-for-tests.mjs";
import { type Balancer, startBalancer } from "./balancer.ts";
import { until } from "./network.ts";

/*
 * Three panels on one PostgreSQL behind a balancer, with members constantly at work. One is killed, then each is stopped and
 * started again, as in an upgrade.
 */
const MEMBERS = 60;
const PANELS = 3;
const EVERY_MS = 300;
const DAY_MS = 86_400_000;

let cluster: Awaited<ReturnType<typeof startCluster>>;
let database: Database;
let balancer: Balancer;
let folder: string;
const panels: Panel[] = [];
const tokens: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "krug-several-"));
  cluster = await startCluster({ synchronous_commit: "on" });
  await writeFile(join(folder, "master.key"), randomBytes(32).toString("base64"), { mode: 0o600 });
  const env = { DATABASE_URL: cluster.url, MASTER_KEY_FILE: join(folder, "master.key"), LOG_LEVEL: "warn" };
  for (let nth = 0; nth < PANELS; nth += 1)
    panels.push(await startPanel({ ...env, DATA_DIR: await mkdtemp(join(folder, "panel-")) }));
  database = openPostgres(cluster.url);
  const now = Date.now();
  for (let nth = 0; nth < MEMBERS; nth += 1) {
    const row = newMemberRow({
      username: `member-${nth}`,
      subscription_end: now + 30 * DAY_MS,
      subscription_source: "payment",
      accepted_rules_at: now,
      created_at: now,
    });
    await database.transact((tx) => insert(tx, row));
    tokens.push(await signIn(database, row.username));
  }
  balancer = await startBalancer(panels.map((panel) => panel.url));
});
afterAll(async () => {
  await balancer?.close();
  await database?.close();
  for (const panel of panels) await panel.remove();
  await cluster?.end();
  await rm(folder, { recursive: true, force: true });
});

interface Seen {
  answered: number;
  /** Requests that had to be repeated, by member. */
  repeated: number[];
  /** Answers that a member should never get, as text. */
  wrong: string[];
  acknowledged: Set<string>;
}

/** Every member reads and writes, one request after the other. A failed request is repeated, as the page does. */
function members() {
  const seen: Seen = { answered: 0, repeated: Array(MEMBERS).fill(0), wrong: [], acknowledged: new Set() };
  let going = true;
  const ask = async (member: number, method: string, path: string, content?: string): Promise<void> => {
    const key = randomBytes(12).toString("hex");
    for (let tries = 0; ; tries += 1) {
      const answer = await fetch(`${balancer.url}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[member]}`,
          // A balancer distributes requests. A kept-alive connection would stay with one panel.
          connection: "close",
          ...(content ? { "content-type": "application/json", "idempotency-key": key } : {}),
        },
        ...(content ? { body: JSON.stringify({ content }) } : {}),
      }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => null,
      );
      if (answer !== null && answer.status < 300) {
        seen.answered += 1;
        return;
      }
      if (answer !== null && answer.status !== 503) seen.wrong.push(`${path}: ${answer.status} ${answer.text}`);
      seen.repeated[member] = (seen.repeated[member] ?? 0) + 1;
      if (tries === 20) throw new Error(`${path} failed 20 times`);
      await wait(100);
    }
  };
  const work = tokens.map(async (_, member) => {
    await wait((member * EVERY_MS) / MEMBERS);
    for (let turn = 0; going; turn += 1) {
      await ask(member, "GET", "/auth/me");
      await ask(member, "GET", "/vpn/configs");
      if (turn % 8 === 0) {
        const content = `${randomBytes(6).toString("hex")} of ${member}`;
        await ask(member, "POST", "/support/messages", content);
        seen.acknowledged.add(content);
      }
      await wait(EVERY_MS);
    }
  });
  return {
    seen,
    /** Waits until everyone got answers again. */
    async calm() {
      const before = seen.answered;
      await until("everybody is answered", () => seen.answered > before + 3 * MEMBERS);
    },
    async end() {
      going = false;
      await Promise.all(work);
      return seen;
    },
  };
}

async function expectNothingLost({ wrong, acknowledged }: Seen): Promise<void> {
  expect(wrong).toEqual([]);
  const { rows } = await sql<{ content: string; count: number }>`
    select content, count(*)::int as count from support_texts group by content`.execute(database.db);
  const stored = new Map(rows.map(({ content, count }) => [content, count]));
  expect([...acknowledged].filter((content) => stored.get(content) !== 1)).toEqual([]);
}

function print(what: string, { answered, repeated }: Seen): void {
  const again = repeated.reduce((sum, count) => sum + count, 0);
  printTable([
    [what, "members", "requests", "sent again", "most by one member"],
    ["", String(MEMBERS), String(answered), String(again), String(Math.max(...repeated))],
  ]);
}

test("a page learns within a second what happened through another panel", async () => {
  const [here, there] = [panels[0]?.url ?? "", panels[2]?.url ?? ""];
  const stream = await listen(`${here}/api/events`, { token: tokens[0] ?? "" });
  const took: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const began = performance.now();
    const answer = await fetch(`${there}/api/support/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" },
      body: JSON.stringify({ content: `heard ${turn}` }),
    });
    expect(answer.status).toBe(201);
    await stream.next();
    took.push(performance.now() - began);
  }
  stream.leave();
  expect(Math.max(...took)).toBeLessThan(1_000);
});

test("one of three panels is killed under load, and no member repeats more than one request", async () => {
  const work = members();
  await work.calm();
  await panels[1]?.stop("SIGKILL");
  await work.calm();
  const seen = await work.end();
  expect(Math.max(...seen.repeated)).toBeLessThanOrEqual(1);
  await expectNothingLost(seen);
  await panels[1]?.restart();
  print("one of three panels killed", seen);
});

test("panels restart one after the other, as in an upgrade, and no member repeats more than one request at each", async () => {
  const work = members();
  for (const panel of panels) {
    await work.calm();
    const before = [...work.seen.repeated];
    await panel.restart();
    await work.calm();
    const again = work.seen.repeated.map((count, member) => count - (before[member] ?? 0));
    expect(Math.max(...again)).toBeLessThanOrEqual(1);
  }
  const seen = await work.end();
  await expectNothingLost(seen);
  print("three panels restarted in turn", seen);
});
