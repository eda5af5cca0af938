import { whyOf } from "@krug/contract/reasons";
import { reason, reasonLine } from "@krug/domain/reasons";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../../../testing/listen.ts";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { jobKind } from "../../../platform/jobs.ts";

async function aClub(environment: Record<string, string> = {}): Promise<Club> {
  const club = await startClub({ environment });
  onTestFinished(() => club.stop());
  return club;
}

test("an admin sees the versions, the database, the servers, and nothing secret", async () => {
  const club = await aClub({ TELEGRAM_BOT_TOKEN: "12345:secret-token", TELEGRAM_API_ROOT: "http://127.0.0.1:9" });
  const admin = await club.admin();
  const { body } = await club.as(admin).call("GET /admin/system");
  expect(body).toMatchObject({
    version: "0.0.0-test",
    node: process.versions.node,
    startedAt: club.clock.now().toISOString(),
    database: { engine: club.config.databaseUrl === null ? "sqlite" : "postgres" },
    servers: [{ name: "Этот сервер", isMain: true, status: "connected" }],
    securityGate: "off",
    local: { backend: "userspace", reason: null, problems: [], install: null },
    newerPanel: null,
  });
  expect(body.database.size).toBeGreaterThan(50_000);
  expect(body.database.migration).toMatch(/^\d{4}_[a-z_]+$/);
  expect(JSON.stringify(body)).not.toMatch(/secret-token|postgres:\/\/|master/);
  expect(Object.keys(body).sort()).toEqual(
    [
      "version",
      "node",
      "startedAt",
      "securityGate",
      "geoServices",
      "localServer",
      "database",
      "backups",
      "clockDoubtedSince",
      "jobs",
      "servers",
      "local",
      "newerPanel",
    ].sort(),
  );
});

test("a slow disk is shown with how long changes wait for it", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const slowMs = async () => (await club.as(admin).call("GET /admin/system")).body.database.slowMs;
  expect(await slowMs()).toBeNull();
  vi.spyOn(club.database, "slow").mockReturnValue(1_460);
  expect(await slowMs()).toBe(1_460);
});

test("an interface whose name or port is taken shows with its server, to an admin and not at /health", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const { transact, interfaces } = club.app.parts;
  const held = async () => (await club.as(admin).call("GET /admin/system")).body.servers[0]?.heldInterfaces;
  expect(await held()).toEqual([]);
  const [row] = await interfaces.all(club.db);
  const conflict = reason("interface.port_busy", { port: 51_820, holder: "nginx (process 77)" });
  await transact((tx) => interfaces.update(tx, row?.id ?? "", { conflict }));
  expect(await held()).toEqual([
    {
      id: row?.id,
      name: "Interface 1",
      interfaceName: "wg0",
      reason: reasonLine(conflict, "en"),
      why: whyOf(conflict),
    },
  ]);
  expect(JSON.stringify((await club.guest.call("GET /health")).body)).not.toContain("nginx");
  // An interface that is switched off needs no port.
  await transact((tx) => interfaces.update(tx, row?.id ?? "", { is_active: 0 }));
  expect(await held()).toEqual([]);
});

test("waiting, failing and given-up jobs are counted, with the last error", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const { jobs, transact, clock } = club.app.parts;
  const kind = jobKind<object>("test.broken");
  jobs.handle(kind, () => Promise.reject(new Error("it is broken")), { maxAttempts: 2 });
  const elsewhere = jobKind<object>("test.elsewhere");
  const writtenAt = clock.now().toISOString();
  await transact(async (tx) => {
    await jobs.enqueue(tx, kind, { payload: {} });
    await jobs.enqueue(tx, elsewhere, { payload: {}, panelId: "another panel" });
  });
  const jobsShown = async () => (await club.as(admin).call("GET /admin/system")).body.jobs;
  await jobs.drain();
  expect(await jobsShown()).toMatchObject({ waiting: 2, failing: 1, failed: 0, oldestDueAt: writtenAt });
  club.clock.advance(2_000);
  await jobs.drain();
  expect(await jobsShown()).toMatchObject({
    waiting: 1,
    failing: 0,
    failed: 1,
    troubled: [{ kind: "test.broken", count: 1, lastError: "an error that the panel did not expect: it is broken" }],
  });
});

test("'Delete everything' deletes nothing and only writes a line to the log", async () => {
  const club = await aClub();
  const admin = await club.admin();
  await club.member();
  const counts = async () => {
    const tables = [
      "members",
      "sessions",
      "settings",
      "interfaces",
      "servers",
      "services",
      "dns_entries",
      "migrations",
    ];
    const rows = await Promise.all(
      tables.map((table) => sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(club.db)),
    );
    return rows.map(({ rows: [row] }) => Number(row?.n));
  };
  const before = await counts();
  const changesBefore = club.host.peers().length;
  expect((await club.as(admin).call("POST /admin/system/wipe-simulation")).status).toBe(204);
  await club.settle();
  expect(await counts()).toEqual(before);
  expect(club.host.peers()).toHaveLength(changesBefore);
  const [entry] = (await club.as(admin).call("GET /admin/audit")).body;
  expect(entry).toMatchObject({ action: "system.wipe_simulated", by: { id: admin.id }, before: null, after: null });
});

test("open staff pages learn that a setting was changed, a member's do not", async () => {
  const club = await aClub();
  const [admin, other, boris] = [await club.admin(), await club.moderator(), await club.member()];
  const url = `${club.origin}/api/events`;
  const [staffs, members] = [await listen(url, { token: other.token }), await listen(url, { token: boris.token })];
  await club.as(admin).call("PUT /admin/settings", { body: { graceHours: 3 } });
  expect(await staffs.next()).toMatchObject({ event: "changed", data: { topic: "club" } });
  // The next one that the member gets is their own.
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { vpnConfigLimit: 9 } });
  expect(await members.next()).toMatchObject({ data: { topic: "account" } });
  staffs.leave();
  members.leave();
});

test("with SAMPLE_DATA=on the page itself says that samples may be shown; off, it does not", async () => {
  const { mkdtempSync, writeFileSync, rmSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const webFolder = mkdtempSync(join(tmpdir(), "krug-web-"));
  onTestFinished(() => rmSync(webFolder, { recursive: true, force: true }));
  writeFileSync(join(webFolder, "index.html"), "<html><head><title>x</title></head><body></body></html>");
  for (const [state, expected] of [
    ["on", true],
    ["off", false],
  ] as const) {
    const club = await startClub({ environment: { SAMPLE_DATA: state }, webFolder, localServer: "off" });
    const page = await club.guest.send("GET", "/admin/users");
    expect(String(page.body).includes('<meta name="sample-data" content="on">')).toBe(expected);
    await club.stop();
  }
});
