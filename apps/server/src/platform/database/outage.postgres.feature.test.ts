import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startCluster } from "../../../../../scripts/postgres-for-tests.mjs";
import { listen } from "../../../testing/listen.ts";
import { type Answer, type Caller, type Club, type Person, startClub } from "../../../testing/start-club.ts";
import { startTcpRelay, type TcpRelay } from "../../../testing/tcp-relay.ts";

const WRITERS = 10;
/** The longest wait for the refusal: the silence allowed before it counts, plus a margin. */
const ANSWER_WITHIN_MS = 12_000;

// A real PostgreSQL that is stopped, killed and frozen under writers.
describe("while the database is away", () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    // Acknowledged writes must survive a crash too.
    cluster = await startCluster({ synchronous_commit: "on" });
  });
  afterAll(() => cluster.end());

  let club: Club;
  let relay: TcpRelay;
  let panels: { origin: string; as(person: Person): Caller }[];
  let stopOther: () => Promise<void>;
  let logged: string[];
  const unhandled: unknown[] = [];
  // With the caller's stack, which the error lacks.
  const noteUnhandled = (error: unknown) => unhandled.push((error as Error).stack ?? error);
  beforeEach(async () => {
    const { hostname, port } = new URL(cluster.url);
    relay = await startTcpRelay({ host: hostname, port: Number(port) });
    const reachedAt = (url: string) => {
      const through = new URL(url);
      through.port = String(relay.port);
      return through.href;
    };
    club = await startClub({ postgres: cluster.url, reachedAt });
    const other = await club.otherPanel();
    panels = [{ origin: club.origin, as: club.as }, other];
    stopOther = other.stop;
    logged = [];
    for (const { server } of [club.app, other.app])
      for (const level of ["info", "warn", "error"] as const)
        vi.spyOn(server.log, level).mockImplementation((...said: unknown[]) => {
          const { err } = said[0] as { err?: Error };
          logged.push(`${level}: ${said[1]} ${err?.stack ?? JSON.stringify(said[0])}`);
        });
    process.on("unhandledRejection", noteUnhandled);
  });
  afterEach(async () => {
    await stopOther();
    await club.stop();
    await relay.close();
    process.off("unhandledRejection", noteUnhandled);
    expect(unhandled.splice(0)).toEqual([]);
  });

  /** Everyone writes messages, one after another, half of them through each panel, until stopped. */
  async function writers() {
    const people = await Promise.all(Array.from({ length: WRITERS }, () => club.member()));
    const acknowledged = new Set<string>();
    const refused: Answer[] = [];
    const slowest = { ms: 0 };
    let going = true;
    const work = people.map(async (person, at) => {
      const panel = panels[at % panels.length];
      for (let n = 0; going; n++) {
        const content = `${at}:${n}`;
        const from = performance.now();
        const answer = await panel?.as(person).call("POST /support/messages", { body: { content } });
        slowest.ms = Math.max(slowest.ms, performance.now() - from);
        if (answer?.status === 201) acknowledged.add(content);
        else if (answer?.code !== "request.too_many" && answer !== undefined) refused.push(answer);
        // A member may make sixty a minute, and the club's clock stands still.
        club.clock.advance(200);
        await wait(20);
      }
    });
    return {
      acknowledged,
      refused,
      slowest,
      async end() {
        going = false;
        await Promise.all(work);
      },
    };
  }
  const allServe = async () => {
    for (const { origin } of panels)
      await expect.poll(async () => (await fetch(`${origin}/health`)).status, { timeout: 20_000 }).toBe(200);
  };
  const stored = async () => {
    const rows = await sql<{ content: string }>`select content from support_messages`.execute(club.db);
    return new Set(rows.rows.map(({ content }) => content));
  };
  const expectNothingLost = async ({ acknowledged, refused }: Awaited<ReturnType<typeof writers>>) => {
    const kept = await stored();
    expect([...acknowledged].filter((content) => !kept.has(content))).toEqual([]);
    expect(refused.filter(({ status }) => status !== 503).map(({ status, code }) => [status, code])).toEqual([]);
    for (const { code, message } of refused) {
      expect(["database.away", "database.uncertain", "database.busy"]).toContain(code);
      expect(message).toMatch(/База данных|базой данных/);
    }
  };

  /** Each panel logs that it is away and that it is back, this often, and nothing else. A busy machine's disk may be slow too. */
  const expectOnlyTurns = (times: number) => {
    const others = logged.filter((line) => !line.includes("the database's disk is"));
    const turns = others.filter((line) => /the database (does not answer|serves again)/.test(line));
    expect(others.length, logged.join("\n")).toBe(turns.length);
    expect(turns.length, logged.join("\n")).toBeLessThanOrEqual(times * 2 * panels.length);
  };

  test("restarts and crashes under writers lose nothing that was acknowledged, and end no panel", async () => {
    const work = await writers();
    for (const signal of ["SIGINT", "SIGQUIT", "SIGINT"] as const) {
      await wait(700);
      await cluster.stop(signal);
      await cluster.start();
      await allServe();
    }
    const before = work.acknowledged.size;
    await expect.poll(() => work.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before + WRITERS);
    await work.end();
    await expectNothingLost(work);
    expectOnlyTurns(3);
  });

  test.each(["frozen", "behind a line that drops everything"])(
    "a server that is %s keeps nobody waiting forever, shows in health, and recovery is quick",
    async (how) => {
      const [freeze, thaw] =
        how === "frozen"
          ? [() => cluster.freeze(), () => cluster.thaw()]
          : [() => relay.swallow(true), () => relay.swallow(false)];
      const work = await writers();
      await expect.poll(() => work.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(WRITERS);
      freeze();
      await wait(ANSWER_WITHIN_MS);
      // By now everyone caught in the middle has an answer, and new calls are answered at once.
      for (const { origin } of panels) {
        const from = performance.now();
        expect((await fetch(`${origin}/health`)).status).toBe(503);
        const answer = await fetch(`${origin}/api/maintenance`);
        expect(((await answer.json()) as { error: { code: string } }).error.code).toBe("database.away");
        expect(answer.headers.get("retry-after")).toBe("2");
        expect(performance.now() - from, "ms").toBeLessThan(ANSWER_WITHIN_MS / 2);
      }
      await wait(2_000);
      thaw();
      await allServe();
      const before = work.acknowledged.size;
      await expect.poll(() => work.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before + WRITERS);
      await work.end();
      expect(work.slowest.ms).toBeLessThan(ANSWER_WITHIN_MS);
      await expectNothingLost(work);
      expectOnlyTurns(1);
    },
  );

  test("a server whose probe goes unanswered is in service as long as it answers anything else", async () => {
    const work = await writers();
    await expect.poll(() => work.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(WRITERS);
    relay.swallow("krug line");
    // The probe, and the connection that is to replace it.
    const until = performance.now() + ANSWER_WITHIN_MS + 2_000;
    while (performance.now() < until) {
      for (const { origin } of panels) expect((await fetch(`${origin}/health`)).status).toBe(200);
      await wait(250);
    }
    relay.swallow(false);
    await work.end();
    expect(work.refused).toEqual([]);
    await expectNothingLost(work);
    expectOnlyTurns(0);
  });

  test("while it is stopped scheduled tasks, jobs and open pages wait quietly and resume by themselves", async () => {
    const boris = await club.member();
    const admin = await club.admin();
    const page = await listen(`${club.origin}/api/events`, { token: boris.token });
    club.app.start();
    await cluster.stop();
    await wait(5_000);
    expectOnlyTurns(1);
    await cluster.start();
    // It reconnects and loads everything again.
    expect(await page.next()).toBeUndefined();
    await allServe();
    await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { displayName: "Борис" } });
    await club.settle();
  });

  test("a panel whose database goes away while it starts works once it is back", async () => {
    const admin = await club.admin();
    await cluster.stop();
    expect(await club.app.start()).toEqual([]);
    await cluster.start();
    await allServe();
    expect((await club.as(admin).call("GET /auth/me")).status).toBe(200);
  });

  test.each([
    ["before", false],
    ["after", true],
  ] as const)("a line that breaks %s the commit is reported as unknown, not as 'not saved'", async (when, isThere) => {
    relay.cutAt("commit", when, `probe-${when}`);
    const write = club.transact((tx) =>
      sql`insert into settings (name, value, changed_at) values (${`probe-${when}`}, '1', 0)`.execute(tx),
    );
    await expect(write).rejects.toMatchObject({ code: "database.uncertain" });
    await allServe();
    const found = await sql`select 1 from settings where name = ${`probe-${when}`}`.execute(club.db);
    expect(found.rows).toHaveLength(isThere ? 1 : 0);
  });
});
