import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../testing/start-club.ts";
import { SshFailure } from "../hosts/remote.ts";
import { check } from "./check.ts";
import { exitCodeOf, type Finding, findingsText } from "./finding.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
});
afterEach(() => club.stop());

/** The fake machine answers at once, but a busy machine may run the test: only deliberately silent ones get a short deadline. */
const PATIENCE = { deadlineMs: 30_000, againMs: 1 };
const partsOf = (deadlineMs = PATIENCE.deadlineMs) => ({
  config: club.config,
  clock: club.clock,
  localHost: club.host,
  remotes: club.remotes,
  version: "1",
  patience: { ...PATIENCE, deadlineMs },
});
const checkedWhole = (deadlineMs?: number) => check(partsOf(deadlineMs));
/** A test's clock stands still, PostgreSQL's does not. */
const checked = async (deadlineMs?: number) =>
  (await checkedWhole(deadlineMs)).filter(({ code }) => code !== "clock.differs");
const make = async (name: string) =>
  (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) })).body;
const off = (found: Finding[]) =>
  found.filter(({ level }) => level === "wrong" || level === "unknown").map(({ code }) => code);
const tunnel = () => {
  const [found] = [...club.host.interfaces.values()];
  if (found === undefined) throw new Error("no interface");
  return found;
};

test("a well club is well, and the check changes neither the database nor the machine nor a file", async () => {
  await make("laptop");
  await club.settle();
  const rows = await club.allRows();
  const before = structuredClone([...club.host.interfaces]);
  const calls = { ...club.host.calls };
  const files = () => readdirSync(club.config.dataDir).sort();
  const names = files();
  const found = await checked();
  expect(off(found)).toEqual([]);
  expect(exitCodeOf(found)).toBe(0);
  expect(findingsText(found, "en")).toMatch(/Its machine matches the database: 2 peers/);
  expect(findingsText(found, "en")).toMatch(/No problems found\.$/);
  expect(await club.allRows()).toEqual(rows);
  expect([...club.host.interfaces]).toEqual(before);
  expect({ ...club.host.calls, reach: 0, read: 0 }).toEqual({ ...calls, reach: 0, read: 0 });
  expect(files()).toEqual(names);
});

test("missing, foreign and wrong peers are reported by number; a silenced one is none of them", async () => {
  for (const name of ["laptop", "phone", "tablet"]) await make(name);
  await club.settle();
  const [first, second, third] = club.host.devicesOn(tunnel().name);
  if (first === undefined || second === undefined || third === undefined) throw new Error("no devices");
  tunnel().peers = tunnel().peers.filter((peer) => peer !== first);
  second.allowedIps = ["10.99.0.1/32"];
  const stranger = { ...structuredClone(third), publicKey: "A".repeat(43) as never, allowedIps: ["10.99.0.2/32"] };
  tunnel().peers.push(stranger);
  const found = await checked();
  expect(off(found).sort()).toEqual(["server.peers_foreign", "server.peers_missing", "server.peers_wrong"]);
  expect(exitCodeOf(found)).toBe(1);
  expect(findingsText(found, "en")).toContain(`, ${tunnel().name}: 1 peer is missing`);
  expect(findingsText(found, "en")).toMatch(/Needs attention: 3 of \d+ findings\.$/);
  stranger.allowedIps = [];
  expect(off(await checked())).not.toContain("server.peers_foreign");
});

test("the database it opens accepts no change, in a transaction or without one", async () => {
  const change = sql`update members set username = 'changed'`;
  await check(partsOf(), async (opened) => {
    if (opened === null) throw new Error("not opened");
    const { db, transact } = opened.database;
    // PostgreSQL's own message is the cause of ours.
    for (const tried of [() => change.execute(db), () => transact((tx) => change.execute(tx))])
      await expect(tried()).rejects.toSatisfy((error: Error) => /read-?only/.test(`${error} ${error.cause}`));
  });
});

test("a change that arrives between two readings is not reported", async () => {
  await make("laptop");
  await club.settle();
  const all = tunnel().peers;
  tunnel().peers = [];
  const { look } = club.host;
  let looks = 0;
  club.host.look = async () => {
    if (++looks === 2) tunnel().peers = all;
    return look();
  };
  expect(off(await checked())).toEqual([]);
  expect(looks).toBe(2);
});

test("interfaces that are missing, down, foreign or left over, the firewall and forwarding are reported", async () => {
  club.host.surroundings = {
    down: [tunnel().name],
    forwarding: { v4: false, v6: true },
    notForwarding: [reason("lack.forwarding")],
    refusals: [],
    hasFirewall: false,
  };
  expect(off(await checked()).sort()).toEqual([
    "server.blocked",
    "server.firewall",
    "server.forwarding",
    "server.interface_down",
  ]);
  club.host.surroundings = {
    ...club.host.surroundings,
    down: [],
    forwarding: { v4: true, v6: true },
    notForwarding: [],
    hasFirewall: true,
  };
  const kept = tunnel();
  club.host.interfaces.delete(kept.name);
  expect(off(await checked())).toEqual(["server.interface_missing"]);
  club.host.interfaces.set("old0", { ...kept, name: "old0" });
  expect(off(await checked()).sort()).toEqual(["server.interface_left", "server.interface_missing"]);
  club.host.interfaces.delete("old0");
  club.host.interfaces.set(kept.name, { ...kept, publicKey: "A".repeat(43) as never });
  expect(off(await checked())).toEqual(["server.interface_foreign"]);
  club.host.interfaces.set(kept.name, { ...kept, listenPort: kept.listenPort + 1 });
  expect(off(await checked())).toEqual(["server.interface_settings"]);
});

test("speed limits that are not in force are reported by number, with the reason that the server gave", async () => {
  await make("laptop");
  const admin = await club.admin();
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { speedMbit: 20 } });
  await club.settle();
  expect(off(await checked())).toEqual([]);
  club.host.speeds = [];
  const found = await checked();
  expect(off(found)).toEqual(["server.speeds"]);
  expect(exitCodeOf(found)).toBe(1);
  expect(findingsText(found, "en")).toContain("Speed limits that are not in force: 1.");
  club.host.speedFailure = reason("program.not_found", { program: "tc" });
  await club.app.parts.reconciler.reconcileAll();
  await club.settle();
  club.host.speeds = [];
  expect(findingsText(await checked(), "en")).toMatch(/not in force: 1\..*tc/s);
  club.host.speedFailure = null;
});

test("a firewall that reads as closed is wrong until packets pass it, and wrong again if nobody watches", async () => {
  const chain = { chain: "ip filter FORWARD", rule: null, opening: "iptables -P FORWARD ACCEPT" };
  club.host.closedBy = [{ ...chain, ways: ["out"], families: [4], isSure: true }] as typeof club.host.closedBy;
  club.host.surroundings = {
    ...club.host.surroundings,
    refusals: [reason("lack.policy_out", { chain: "a chain", opening: "-" })],
  };
  const seen = async () =>
    (await checked())
      .filter(({ code }) => /^server\.(blocked|passes)$/.test(code))
      .map(({ level, code }) => `${level} ${code}`);
  const web = { way: "out", family: 4, kind: "web" } as const;
  const look = async (begun: number, passed: number) => {
    club.host.counted = [{ ...web, begun, passed }];
    club.clock.advance(60_000);
    await club.app.parts.reconciler.reconcileAll();
    await club.settle();
  };
  await look(0, 0);
  expect(await seen()).toEqual(["wrong server.blocked"]);
  await look(10, 10);
  expect(await seen()).toEqual(["note server.passes"]);
  club.clock.advance(10 * 60_000);
  expect(await seen()).toEqual(["wrong server.blocked"]);
});

test("a machine that is down, or silent past its deadline, could not be checked, and the rest is", async () => {
  club.host.away = "no answer";
  const away = await checked();
  expect(off(away)).toEqual(["server.not_read"]);
  expect(exitCodeOf(away)).toBe(2);
  expect(findingsText(away, "en")).toContain("(no answer)");
  club.host.away = null;
  club.host.look = () => new Promise(() => {});
  expect(off(await checked(300))).toEqual(["server.silent"]);
});

test("a server over SSH is compared too, or the obstacle is reported; another panel's own is a note", async () => {
  const { servers } = club.app.parts;
  const [server] = await servers.all(club.db);
  if (server === undefined) throw new Error("no server");
  const vps = club.remotes.rent("203.0.113.9");
  vps.keys.add((await servers.sshKey()).publicKey);
  const reached = {
    ssh_host: "203.0.113.9",
    ssh_port: 22,
    ssh_username: "root",
    host_key: vps.hostKey,
    is_prepared: 1,
  };
  await club.transact((tx) => servers.update(tx, server.id, { driver: "ssh", panel_id: null, ...reached }));
  for (const [name, actual] of club.host.interfaces) vps.host.interfaces.set(name, structuredClone(actual));
  expect(off(await checked())).toEqual([]);
  vps.host.interfaces.clear();
  expect(off(await checked())).toEqual(["server.interface_missing"]);
  vps.away = new SshFailure("login_refused");
  expect(off(await checked())).toEqual(["server.login_refused"]);

  await club.transact((tx) => servers.update(tx, server.id, { driver: "local", panel_id: "another" }));
  const elsewhere = await checked();
  expect(exitCodeOf(elsewhere)).toBe(0);
  expect(elsewhere.map(({ code }) => code)).toContain("server.elsewhere");
});

test("a device that was deleted and purged has no secret that could fail to open", async () => {
  await make("laptop");
  await club.settle();
  await sql`update configs set sealed_preshared_key = '', sealed_private_key = null`.execute(club.db);
  expect(off(await checked())).not.toContain("master_key.closed");
});

test("a wrong master key is reported, and so is a secret that does not open", async () => {
  await make("laptop");
  await club.settle();
  await sql`update configs set sealed_preshared_key = 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'`.execute(
    club.db,
  );
  expect(off(await checked())).toContain("master_key.closed");
  const { masterKeyFile } = club.config;
  copyFileSync(masterKeyFile, `${masterKeyFile}.kept`);
  writeFileSync(masterKeyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  const found = await checked();
  expect(off(found)).toEqual(["master_key.wrong"]);
  expect(exitCodeOf(found)).toBe(1);
  copyFileSync(`${masterKeyFile}.kept`, masterKeyFile);
});

test("open files, a lost panel-id, a newer database and a missing migration are reported", async () => {
  const { dataDir } = club.config;
  const panelFile = join(dataDir, "panel-id");
  chmodSync(panelFile, 0o644);
  chmodSync(dataDir, 0o777);
  expect(off(await checked()).sort()).toEqual(["data_dir.open", "data_dir.writable"]);
  chmodSync(panelFile, 0o600);
  chmodSync(dataDir, 0o700);
  const id = readFileSync(panelFile);
  rmSync(panelFile);
  expect(off(await checked())).toContain("panel_id.absent");
  expect(statSync(panelFile, { throwIfNoEntry: false })).toBeUndefined();
  writeFileSync(panelFile, id, { mode: 0o600 });

  await sql`insert into migrations (name, applied_at, hash) values ('9999_later.sql', 1, 'x')`.execute(club.db);
  expect(off(await checked())).toEqual(["migrations.newer", "rest.skipped"]);
  await sql`delete from migrations where name = '9999_later.sql'`.execute(club.db);
  const { rows } = await sql<{ name: string }>`select name from migrations order by name limit 1`.execute(club.db);
  await sql`delete from migrations where name = ${rows[0]?.name}`.execute(club.db);
  expect(off(await checked())).toEqual(["migrations.missing", "rest.skipped"]);
});

test("a DATA_DIR that nothing can be written to is reported", async () => {
  const { dataDir } = club.config;
  // Root writes whatever the mode is, but not on a disk that is mounted read-only.
  const [close, open] =
    process.getuid?.() === 0
      ? [`mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"`, `umount -l "$1"`]
      : [`chmod 500 "$1"`, `chmod 700 "$1"`];
  const run = (command: string) => execFileSync("sh", ["-c", command, "sh", dataDir]);
  run(close);
  const found = await checked().finally(() => run(open));
  expect(off(found)).toEqual(["data_dir.fixed"]);
  expect(found.find(({ code }) => code === "data_dir.fixed")?.detail).toMatch(/: (?:EROFS|EACCES)$/);
});

test("hanging and given-up work is reported, and a clock that was set back", async () => {
  const at = club.clock.now().getTime();
  const job = (id: string, failed: number | null) =>
    sql`insert into jobs (id, kind, lane, panel_id, payload, run_at, attempts, locked_until, failed_at, last_error, created_at)
      values (${id}, 'made.up', 'made.up', null, '{}', ${at}, 3, null, ${failed}, 'it said no', ${at})`.execute(
      club.db,
    );
  await job("00000000-0000-4000-8000-000000000001", at);
  await job("00000000-0000-4000-8000-000000000002", null);
  club.clock.advance(6 * 60_000);
  expect(
    off(await checked())
      .filter((code) => code.startsWith("jobs"))
      .sort(),
  ).toEqual(["jobs.failing", "jobs.given_up", "jobs.late"]);
  await sql`update servers set reconciled_at = ${at + 60 * 60_000}`.execute(club.db);
  const isPostgres = club.config.databaseUrl !== null;
  expect(off(await checkedWhole())).toContain(isPostgres ? "clock.differs" : "clock.behind");
});

test("without an installation nothing could be checked and nothing is created", async () => {
  const dataDir = join(club.config.dataDir, "nothing");
  const config = { ...club.config, dataDir, databaseUrl: null, masterKeyFile: join(dataDir, "master.key") };
  const found = await check({ config, clock: club.clock, localHost: null, remotes: club.remotes, version: "1" });
  expect(off(found)).toEqual(["data_dir.absent", "database.closed"]);
  expect(exitCodeOf(found)).toBe(2);
  expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
});

test("a club that an earlier version restored learns how to prove it to older copies", async () => {
  await sql`update generation set number = 2, token = ${randomUUID()}`.execute(club.db);
  const about = async () => (await checked()).filter(({ code }) => code === "panel.unproved");
  expect(await about()).toMatchObject([{ level: "note", todo: expect.stringContaining("krug take-over") }]);
  await club.app.parts.fencing.takeOver();
  expect(await about()).toEqual([]);
});

test("an end that something else moved than the panel is a note, and names nobody outside the terminal", async () => {
  const move = (end: number | null) =>
    club.db
      .withTables<{ members: { id: string; subscription_end: number | null } }>()
      .updateTable("members")
      .set({ subscription_end: end })
      .where("id", "=", boris.id)
      .execute();
  const about = async () => (await checked()).filter(({ code }) => code.startsWith("ledgers"));
  expect(await about()).toMatchObject([{ level: "well" }]);
  const end = (await club.app.parts.members.find(club.db, boris.id))?.subscription_end ?? null;
  await move((end ?? 0) + 86_400_000);
  const [note] = await about();
  expect(note).toMatchObject({ level: "note", code: "ledgers.differ", detail: boris.username });
  expect(note?.text).toContain("1");
  expect(note?.text).not.toContain(boris.username);
  await move(end);
});
