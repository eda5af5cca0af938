import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PROBE_STATES } from "@krug/domain/probe";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { readMetrics } from "../../../../testing/read-metrics.ts";
import { type Club, type NewPerson, startClub } from "../../../../testing/start-club.ts";
import { statementsOutside } from "../../../../testing/statements-outside.ts";
import { addWebhook } from "../../../../testing/webhook-double.ts";
import { DatabaseTrouble } from "../../../platform/database/trouble.ts";
import { jobKind } from "../../../platform/jobs.ts";

const TOKEN = "token-of-the-monitoring";
const SHARED_MS = 5_000;

const aClub = async (options: Parameters<typeof startClub>[0] = {}) => {
  const club = await startClub({ ...options, environment: { METRICS_TOKEN: TOKEN, ...options.environment } });
  onTestFinished(() => club.stop());
  return club;
};
const USERS = { role: "user", state: "active" };
const bearer = { authorization: `Bearer ${TOKEN}` };
const scrape = async (club: Club) => {
  club.clock.advance(SHARED_MS);
  const { status, body } = await club.guest.send("GET", "/metrics", undefined, bearer);
  expect(status).toBe(200);
  return readMetrics(String(body));
};

describe("who may read", () => {
  test("without METRICS_TOKEN there is no such page, whatever the request", async () => {
    // With the built web client, whose page answers at every other address.
    const webFolder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-web-"));
    onTestFinished(() => rmSync(webFolder, { recursive: true, force: true }));
    writeFileSync(join(webFolder, "index.html"), "<html><head><title>x</title></head><body></body></html>");
    const club = await startClub({ localServer: "off", webFolder });
    onTestFinished(() => club.stop());
    expect((await club.guest.send("GET", "/elsewhere")).status).toBe(200);
    for (const headers of [{}, bearer, { authorization: "Bearer " }]) {
      const { status, code } = await club.guest.send("GET", "/metrics", undefined, headers);
      expect([status, code]).toEqual([404, "request.not_found"]);
    }
  });

  test("only the token opens it: no staff session, no other token, and nothing in the address", async () => {
    const club = await aClub({ localServer: "off" });
    const admin = await club.admin();
    const given = ["", `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, "Bearer", TOKEN];
    for (const authorization of [...given, `Bearer ${admin.token}`]) {
      const answer = await club.guest.send("GET", `/metrics?token=${TOKEN}`, undefined, { authorization });
      expect([authorization, answer.status, answer.code]).toEqual([authorization, 401, "auth.required"]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(JSON.stringify(answer.body)).not.toContain("krug_");
    }
    expect((await club.guest.send("GET", "/metrics", undefined, bearer)).status).toBe(200);
  });

  test("monitoring reads under any host and during maintenance, gets no cookie, and may ask for gzip", async () => {
    const club = await aClub({ localServer: "off", environment: { PUBLIC_URL: "https://club.example" } });
    const { transact, settings } = club.app.parts;
    await transact((tx) => settings.write(tx, { maintenanceSince: 1 }));
    const { port } = new URL(club.origin);
    const headers = { ...bearer, host: "10.0.0.7:3001", "accept-encoding": "gzip" };
    const [answer, bytes] = await new Promise<[IncomingMessage, Buffer]>((resolve, reject) => {
      const asked = request({ port, host: "127.0.0.1", path: "/metrics", headers }, (found) => {
        const chunks: Buffer[] = [];
        found.on("data", (chunk: Buffer) => chunks.push(chunk));
        found.on("end", () => resolve([found, Buffer.concat(chunks)]));
      });
      asked.on("error", reject).end();
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(gunzipSync(bytes).toString()).toContain("krug_build_info");
  });
});

describe("what it reports", () => {
  let club: Club;
  beforeAll(async () => {
    club = await startClub({
      environment: { METRICS_TOKEN: TOKEN, TELEGRAM_BOT_TOKEN: "1:x", TELEGRAM_API_ROOT: "http://127.0.0.1:9" },
      greet: async () => "answered",
    });
  });
  afterAll(() => club.stop());

  test("members by role and state, and how many may use the VPN", async () => {
    await club.admin();
    const people: NewPerson[] = [{}, { subscriptionEnd: null }, { subscriptionEnd: 1 }, { row: { is_unlimited: 1 } }];
    for (const person of [...people, { row: { is_active: 0 } }, { row: { deleted_at: 1 } }]) await club.member(person);
    const { of } = await scrape(club);
    expect(of("krug_members", { role: "user", state: "active" })).toBe(4);
    expect(of("krug_members", { role: "user", state: "blocked" })).toBe(1);
    expect(of("krug_members", { role: "admin", state: "active" })).toBe(1);
    // Two of the members, and the admin.
    expect(of("krug_members_entitled")).toBe(3);
    expect(of("krug_database_up")).toBe(1);
    expect(of("krug_build_info", { version: "0.0.0-test" })).toBe(1);
  });

  test("devices and peers: wanted, on the machine, and those that differ", async () => {
    const boris = await club.member();
    for (const name of ["laptop", "phone"])
      await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) });
    await club.settle();
    await club.app.lookAtServers();
    await club.settle();
    const first = await scrape(club);
    const [server] = await club.app.parts.servers.all(club.db);
    const ofServer = { server_id: server?.id ?? "", server: "Этот сервер" };
    expect(first.of("krug_server_up", ofServer)).toBe(1);
    expect(first.of("krug_peers_desired", ofServer)).toBe(2);
    expect(first.of("krug_peers_actual", ofServer)).toBe(2);
    expect(first.of("krug_peers_drift", { ...ofServer, kind: "missing" })).toBe(0);
    expect(first.of("krug_devices_online", { ...ofServer, interface: "wg0" })).toBe(0);

    const key = club.host.peers()[0]?.publicKey ?? "";
    club.host.use(key, { rx: 1_000, tx: 1_000 }, club.clock.now().getTime());
    await club.app.parts.reconciler.readAll();
    const used = await scrape(club);
    expect(used.of("krug_devices_online", { ...ofServer, interface: "wg0" })).toBe(1);

    const drift = async () => {
      const { of } = await scrape(club);
      const kinds = ["missing", "extra"].map((kind) => of("krug_peers_drift", { ...ofServer, kind }));
      return { desired: of("krug_peers_desired", ofServer), drift: kinds };
    };
    const blocked = (by: number) => sql`update configs set is_blocked = ${by} where name = 'phone'`.execute(club.db);
    const noted = (as: number) => sql`update configs set on_wire = ${as} where name = 'laptop'`.execute(club.db);
    await blocked(1);
    expect(await drift()).toEqual({ desired: 1, drift: [0, 1] });
    await noted(0);
    expect(await drift()).toEqual({ desired: 1, drift: [1, 1] });
    await blocked(0);
    expect(await drift()).toEqual({ desired: 2, drift: [1, 0] });
    await noted(1);
    const deleted = (at: number | null) =>
      sql`update configs set deleted_at = ${at} where name = 'phone'`.execute(club.db);
    await deleted(1);
    expect(await drift()).toEqual({ desired: 1, drift: [0, 1] });
    await deleted(null);
    expect(await drift()).toEqual({ desired: 2, drift: [0, 0] });

    // The end of a subscription, before any check: two peers are there without a right.
    const endsAt = (end: number | null | undefined) =>
      sql`update members set subscription_end = ${end} where id = ${boris.id}`.execute(club.db);
    const end = (await club.app.parts.members.find(club.db, boris.id))?.subscription_end;
    await endsAt(1);
    const ended = await scrape(club);
    expect(ended.of("krug_peers_desired", ofServer)).toBe(0);
    expect(ended.of("krug_peers_drift", { ...ofServer, kind: "extra" })).toBe(2);
    expect(ended.of("krug_peers_drift", { ...ofServer, kind: "missing" })).toBe(0);
    await club.app.lookAtServers();
    await club.settle();
    const settled = await scrape(club);
    expect(settled.of("krug_peers_drift", { ...ofServer, kind: "extra" })).toBe(0);
    expect(settled.of("krug_peers_actual", ofServer)).toBe(0);
    await endsAt(end); // where its ledger leads

    club.clock.advance(10 * 60_000);
    const late = await scrape(club);
    expect(late.of("krug_server_reconcile_lag_seconds", ofServer)).toBeGreaterThan(600);
    expect(late.of("krug_server_up", ofServer)).toBe(0);
    // Such an old reading says nothing about the machine.
    expect(late.of("krug_peers_actual", ofServer)).toBeUndefined();
  });

  test("due and failing jobs", async () => {
    const { jobs, transact } = club.app.parts;
    const kind = jobKind<object>("test.broken");
    jobs.handle(kind, () => Promise.reject(new Error("it is broken")), { maxAttempts: 2 });
    await transact((tx) => jobs.enqueue(tx, kind, { payload: {} }));
    await jobs.drain();
    const failing = await scrape(club);
    expect(failing.of("krug_jobs_failing")).toBe(1);
    expect(failing.of("krug_jobs_oldest_seconds")).toBeGreaterThanOrEqual(3);
    await jobs.drain();
    const failed = await scrape(club);
    expect([failed.of("krug_jobs_failed"), failed.of("krug_jobs_waiting")]).toEqual([1, 0]);
    expect(failed.of("krug_jobs_oldest_seconds")).toBe(0);
  });

  test("interfaces: the last probe's result, and whether something else holds the port", async () => {
    const [server] = await club.app.parts.servers.all(club.db);
    const wg0 = { server_id: server?.id ?? "", server: "Этот сервер", interface: "wg0" };
    const before = await scrape(club);
    expect(before.of("krug_interface_probe", { ...wg0, state: "answers" })).toBeUndefined();
    await club.app.parts.probe.timed[0]?.run();
    const greeted = await scrape(club);
    const states = PROBE_STATES.map((state) => greeted.of("krug_interface_probe", { ...wg0, state }));
    expect(states).toEqual(PROBE_STATES.map((state) => (state === "answers" ? 1 : 0)));
    expect(greeted.of("krug_interface_held", wg0)).toBe(0);
    expect(greeted.of("krug_interface_devices_gone", wg0)).toBe(0);
    const { transact, interfaces } = club.app.parts;
    const [row] = await interfaces.all(club.db);
    await transact((tx) =>
      interfaces.update(tx, row?.id ?? "", { conflict: reason("interface.port_busy_unseen", { port: 51_820 }) }),
    );
    expect((await scrape(club)).of("krug_interface_held", wg0)).toBe(1);
    // An interface that is switched off raises no alarm.
    await transact((tx) => interfaces.update(tx, row?.id ?? "", { is_active: 0 }));
    expect((await scrape(club)).lines.filter(({ labels }) => labels.interface === "wg0")).toEqual([]);
  });

  test("notices by channel: how many wait, how long the first has waited, and how many were given up", async () => {
    const boris = await club.member();
    const now = club.clock.now().getTime();
    const put = async (
      id: string,
      row: { turn: number; notBefore: number; attempts?: number; failedAt?: number },
    ): Promise<void> => {
      await sql`insert into notices (id, member_id, kind, params, created_at)
        values (${id}, ${boris.id}, 'test', '{}', ${row.turn})`.execute(club.db);
      await sql`insert into outbox (notice_id, way, target, member_id, turn, not_before, attempts, failed_at, reason)
        values (${id}, 'telegram', 'nowhere', ${boris.id}, ${row.turn * 1_000}, ${row.notBefore}, ${row.attempts ?? 0},
          ${row.failedAt ?? null}, null)`.execute(club.db);
    };
    // The oldest of these waits for the end of quiet hours, as it should.
    await put("quiet", { turn: now - 7_200_000, notBefore: now + 3_600_000 });
    await put("tried", { turn: now - 600_000, notBefore: now + 60_000, attempts: 3 });
    await put("given up", { turn: now - 9_000_000, notBefore: now - 9_000_000, failedAt: now });
    const found = await scrape(club);
    expect(found.of("krug_outbox_waiting", { way: "telegram" })).toBe(2);
    expect(found.of("krug_outbox_failed", { way: "telegram" })).toBe(1);
    expect(found.of("krug_outbox_oldest_seconds", { way: "telegram" })).toBe(605);
    await sql`delete from notices`.execute(club.db);
    const none = await scrape(club);
    const values = ["waiting", "failed", "oldest_seconds"].map((of) =>
      none.of(`krug_outbox_${of}`, { way: "telegram" }),
    );
    expect(values).toEqual([0, 0, 0]);
    // Without an https address browsers take no notices, so there is no such channel.
    expect(none.lines.filter(({ labels }) => labels.way === "push")).toEqual([]);
  });

  test("webhooks by name: since when nothing arrives, and whether the panel has switched one off", async () => {
    const { id } = await addWebhook(club);
    const labels = { webhook_id: id, webhook: "Bot" };
    const told = async () => {
      const { of } = await scrape(club);
      return [of("krug_webhook_failing_seconds", labels), of("krug_webhook_off", labels)];
    };
    expect(await told()).toEqual([0, 0]);
    const since = club.clock.now().getTime() - 7_200_000;
    await sql`update webhooks set failures = 4, failing_since = ${since}`.execute(club.db);
    expect(await told()).toEqual([7_205, 0]);
    await sql`update webhooks set is_enabled = 0, off_because = 'gone'`.execute(club.db);
    expect(await told()).toEqual([0, 1]);
    // An admin switched it off.
    await sql`update webhooks set off_because = null`.execute(club.db);
    expect(await told()).toEqual([0, 0]);
  });

  test("how long answers take, by the route's pattern and never by an address", async () => {
    const boris = await club.member();
    await club.as(boris).send("GET", `/api/vpn/configs/${boris.id}/download`);
    await club.guest.send("GET", "/api/nobody-has-this-path");
    const duration = "krug_http_request_duration_seconds_count";
    const seen = await vi.waitFor(async () => {
      const found = await scrape(club);
      expect(found.of(duration, { method: "GET", route: "none", status: "4xx" })).toBeGreaterThan(0);
      return found;
    });
    const route = "/api/vpn/configs/:id/download";
    expect(seen.of(duration, { method: "GET", route, status: "4xx" })).toBe(1);
    expect(seen.of(duration, { method: "GET", route: "/metrics", status: "2xx" })).toBeGreaterThan(0);
    expect(JSON.stringify(seen.lines)).not.toMatch(/nobody-has-this-path/);
  });

  test("nothing in it is a secret or identifies a member", async () => {
    const anna = await club.member({ username: "anna-of-the-club", row: { display_name: "Анна Каренина" } });
    const { transact, interfaces } = club.app.parts;
    const [row] = await interfaces.all(club.db);
    await transact((tx) => interfaces.update(tx, row?.id ?? "", { is_active: 1, conflict: null }));
    const input = await configInput(club, anna, { name: "annas-phone" });
    expect((await club.as(anna).call("POST /vpn/configs", { body: input })).status).toBe(201);
    await club.settle();
    const text = JSON.stringify((await scrape(club)).lines);
    expect(text).toContain("wg0");
    const rows = [...(await club.allRows()).values()].flat();
    // Names and ids of servers and webhooks are labels. No other text of the database appears, except words of the program.
    const [server] = await club.app.parts.servers.all(club.db);
    const [hook] = await club.app.parts.webhooks.states(club.db);
    const telling = [server?.id, server?.name, hook?.id];
    const secrets = rows
      .flatMap((each) => Object.values(each))
      .filter((value): value is string => typeof value === "string" && value.length > 8 && !/^[a-z_]+$/.test(value))
      .filter((value) => !telling.includes(value));
    expect(secrets).toEqual(expect.arrayContaining(["anna-of-the-club", "Анна Каренина", "annas-phone"]));
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toMatch(new RegExp([TOKEN, anna.token, anna.password, "10\\.8\\."].join("|")));
  });

  test("scheduled backups: none before the first, then the age, and when it is late", async () => {
    expect((await scrape(club)).lines.filter(({ name }) => name.startsWith("krug_backup"))).toEqual([]);
    const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-metrics-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
    const backedUp = await aClub({
      localServer: "off",
      environment: { BACKUP_DIR: join(folder, "backups"), BACKUP_RECIPIENT: recipient, BACKUP_EVERY: "6" },
    });
    const before = await scrape(backedUp);
    expect(before.of("krug_backup_interval_seconds")).toBe(6 * 3_600);
    expect(before.of("krug_backup_age_seconds")).toBeUndefined();
    await backedUp.app.parts.backups.makeDue();
    const fresh = await scrape(backedUp);
    expect([fresh.of("krug_backup_age_seconds"), fresh.of("krug_backup_late")]).toEqual([5, 0]);
    backedUp.clock.advance(13 * 3_600_000);
    const late = await scrape(backedUp);
    expect([late.of("krug_backup_age_seconds"), late.of("krug_backup_late")]).toEqual([13 * 3_600 + 10, 1]);
  });
});

describe("the cost of a scrape", () => {
  const read = (club: Club) => club.guest.send("GET", "/metrics", undefined, bearer);
  const statementsOf = (club: Club, act: () => Promise<unknown>) => statementsOutside(club.db, act, 5);

  test("is the same number of statements however large the club", async () => {
    const club = await aClub({ greet: async () => "answered" });
    const admin = await club.admin();
    const cost = () =>
      statementsOf(club, () => {
        club.clock.advance(SHARED_MS);
        return read(club);
      });
    const small = await cost();
    const [server] = await club.app.parts.servers.all(club.db);
    for (let made = 0; made < 3; made++)
      await club.as(admin).call("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId: server?.id ?? "" },
      });
    for (let made = 0; made < 5; made++) {
      const member = await club.member();
      await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member, { name: "laptop" }) });
    }
    await club.settle();
    await club.app.parts.probe.timed[0]?.run();
    expect(await cost()).toBe(small);
    expect(small).toBeLessThanOrEqual(9);
  });

  test("is paid once by scrapes within five seconds, also at the same moment", async () => {
    const club = await aClub({ localServer: "off" });
    const cost = (act: () => Promise<unknown>) => statementsOf(club, act);
    const one = await cost(() => {
      club.clock.advance(SHARED_MS);
      return read(club);
    });
    expect(one).toBeGreaterThan(0);
    const five = await cost(() => {
      club.clock.advance(SHARED_MS);
      return Promise.all(Array.from({ length: 5 }, () => read(club)));
    });
    expect(five).toBe(one);
    expect(await cost(() => read(club))).toBe(0);
    await club.member();
    club.clock.advance(SHARED_MS - 1);
    const members = async () => readMetrics(String((await read(club)).body)).of("krug_members", USERS);
    expect(await members()).toBeUndefined();
    club.clock.advance(1);
    expect(await members()).toBe(1);
  });

  test("while the database does not answer, monitoring gets just that and the process's figures", async () => {
    const club = await aClub({ localServer: "off" });
    await club.member();
    expect((await scrape(club)).of("krug_members", USERS)).toBe(1);
    const broken = vi.spyOn(club.db.getExecutor(), "executeQuery").mockRejectedValue(new DatabaseTrouble("away"));
    const found = await scrape(club);
    broken.mockRestore();
    expect(found.of("krug_database_up")).toBe(0);
    expect(found.of("process_resident_memory_bytes")).toBeGreaterThan(0);
    const [build, up, ...more] = found.lines.filter(({ name }) => /^krug_(?!http)/.test(name));
    expect([build?.name, up?.name, more]).toEqual(["krug_build_info", "krug_database_up", []]);
    const back = await scrape(club);
    expect([back.of("krug_database_up"), back.of("krug_members", USERS)]).toEqual([1, 1]);
  });

  test("a slow disk shows as the seconds that changes wait for it, and as 0 once it recovers", async () => {
    const club = await aClub({ localServer: "off" });
    const slow = vi.spyOn(club.database, "slow").mockReturnValue(1_460);
    expect((await scrape(club)).of("krug_database_slow_seconds")).toBe(1.46);
    slow.mockRestore();
    expect((await scrape(club)).of("krug_database_slow_seconds")).toBe(0);
  });

  test("two panels in one process keep their own figures", async () => {
    const [one, other] = [await aClub({ localServer: "off" }), await aClub({ localServer: "off" })];
    await one.member();
    const [first, second] = [await scrape(one), await scrape(other)];
    expect([first.of("krug_members", USERS), second.of("krug_members", USERS)]).toEqual([1, undefined]);
  });
});
