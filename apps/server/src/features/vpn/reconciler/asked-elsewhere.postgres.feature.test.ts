import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import type { FakeVps } from "../../../../testing/fake-remotes.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

// Two servers over SSH whose leases one panel holds, and a second panel that people ask. What it is asked happens at once.
const PATIENCE = { timeout: 10_000, interval: 20 };
const STEPS = ["install-docker", "install-wireguard", "configure-wireguard"] as const;

let club: Club;
let asked: Awaited<ReturnType<Club["otherPanel"]>>;
let helsinki: { id: string; vps: FakeVps };
let oslo: { id: string; vps: FakeVps };
let admin: Person;
let boris: Person;
beforeEach(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin();
  boris = await club.member({ configLimit: 20 });
  helsinki = await setUp("Helsinki", "203.0.113.9");
  oslo = await setUp("Oslo", "203.0.113.10");
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: helsinki.id } });
  asked = await club.otherPanel();
});
afterEach(async () => {
  const { holder } = asked.app.parts.heldLeases;
  const held = await sql`select name from leases where holder = ${holder} and name like 'server:%'`.execute(club.db);
  expect(held.rows).toEqual([]);
  // The clock stands still: a job that had to wait for its next try would never be done.
  const failures = await sql`select kind from jobs where attempts > 1 or last_error is not null`.execute(club.db);
  expect(failures.rows).toEqual([]);
  await asked.stop();
  await club.stop();
});

const add = async (name: string, at: string) => {
  const vps = club.remotes.rent(at);
  const credentials = { host: at, port: 22, username: "root", password: "right" };
  const added = await club.as(admin).send("POST", "/api/admin/servers", { name, credentials });
  const { id } = added.body as { id: string };
  for (const lease of [`server:${id}`, `setup:${id}`]) await club.app.parts.heldLeases.hold(lease);
  return { id, vps };
};
const setUp = async (name: string, at: string) => {
  const added = await add(name, at);
  for (const step of STEPS) await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id: added.id } });
  return added;
};
const ask = async (method: string, path: string, body?: object, who = admin) => {
  const answer = await asked.as(who).send(method, `/api${path}`, body);
  expect(answer.status, `${method} ${path} ${answer.code}`).toBeLessThan(300);
  return answer.body;
};
const create = async (name: string) =>
  (await ask("POST", "/vpn/configs", await configInput(club, boris, { name }), boris)) as { id: string; state: string };
const keysOn = ({ vps }: { vps: FakeVps }) => vps.host.peers().map(({ publicKey }) => publicKey as string);
const becomes = (what: () => unknown, is: unknown) => expect.poll(what, PATIENCE).toEqual(is);

test("devices are cut off, let back and given new keys", async () => {
  const { id } = await create("laptop");
  const wire = () => keysOn(helsinki).length;
  const [first] = keysOn(helsinki);
  for (const path of [`/admin/configs/${id}/blocked`, `/users/${boris.id}`])
    for (const isOff of [true, false]) {
      await ask("PUT", path, path.startsWith("/users") ? { isActive: !isOff } : { isBlocked: isOff });
      await becomes(wire, isOff ? 0 : 1);
    }
  const login = { username: boris.username, password: boris.password };
  const { token } = (await asked.withToken("").call("POST /auth/login", { body: login })).body as { token: string };
  boris = { ...boris, token };
  await ask("POST", `/vpn/configs/${id}/key`, {}, boris);
  await becomes(() => keysOn(helsinki).filter((key) => key !== first).length, 1);
  expect(wire()).toBe(1);
  await create("phone");
  await ask("POST", "/admin/configs/delete", { ids: [id] });
  await becomes(wire, 1);
  await ask("DELETE", `/users/${boris.id}`);
  await becomes(wire, 0);
});

test("interfaces are switched, changed, added and deleted, and devices move between them", async () => {
  const { id } = await create("laptop");
  const tunnels = () => [...helsinki.vps.host.interfaces.values()];
  const rows = async () => (await ask("GET", `/admin/servers/${helsinki.id}/interfaces`)) as { id: string }[];
  const [tunnel] = await rows();
  const change = (body: object) => ask("PUT", `/admin/wireguard/${helsinki.id}/interfaces/${tunnel?.id}`, body);
  await change({ isActive: false });
  await becomes(() => tunnels().length, 0);
  await change({ isActive: true });
  await change({ listenPort: 40_000 });
  await becomes(() => tunnels().map(({ listenPort }) => listenPort), [40_000]);
  await ask("POST", `/admin/servers/${helsinki.id}/create-interface`, {});
  expect(tunnels()).toHaveLength(2);
  const other = (await rows()).find((row) => row.id !== tunnel?.id);
  const moved = await ask("PUT", `/admin/configs/${id}/interface`, { interfaceId: other?.id });
  expect(moved).toMatchObject({ state: "applied" });
  await ask("DELETE", `/admin/servers/${helsinki.id}/interfaces/${tunnel?.id}`);
  await becomes(() => tunnels().length, 1);
});

test("rules apply, a server is drained and left, and a step of set-up is cancelled", async () => {
  for (const name of ["laptop", "phone"]) await create(name);
  await ask("POST", "/admin/rules", { type: "blacklist", target: "198.51.100.0/24" });
  expect(helsinki.vps.host.access.everyone.denied).toEqual(["198.51.100.0/24"]);
  await ask("POST", `/admin/servers/${helsinki.id}/empty`, { toServerId: oslo.id });
  await becomes(async () => ((await ask("GET", "/admin/servers/emptyings")) as { state: string }[])[0]?.state, "done");
  await becomes(() => keysOn(oslo).length, 2);
  expect(await ask("POST", `/admin/servers/${helsinki.id}/leave`)).toMatchObject({ isClean: true });
  expect(helsinki.vps.host.interfaces.size).toBe(0);

  const { id, vps } = await add("Turku", "203.0.113.11");
  await ask("POST", `/admin/servers/${id}/install-docker`);
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  vps.steps.wireguard = ["#krug stage packages", until, "more", "#krug done"];
  const step = ask("POST", `/admin/servers/${id}/install-wireguard`);
  await becomes(() => vps.begun.size, 2);
  await ask("POST", `/admin/servers/${id}/setup/cancel`);
  open();
  expect(await step).toMatchObject({ running: false, failure: "cancelled" });
});
