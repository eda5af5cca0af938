import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import type { FakeVps } from "../../../../testing/fake-remotes.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

// Two servers over SSH whose leases one panel holds, and a second panel that people ask.
let club: Club;
let asked: Awaited<ReturnType<Club["otherPanel"]>>;
let first: { id: string; vps: FakeVps };
let second: { id: string; vps: FakeVps };
let admin: Person;
let boris: Person;

const setUp = async (name: string, at: string) => {
  const vps = club.remotes.rent(at);
  const credentials = { host: at, port: 22, username: "root", password: "right" };
  const { id } = (await club.as(admin).send("POST", "/api/admin/servers", { name, credentials })).body as {
    id: string;
  };
  await club.app.parts.heldLeases.hold(`server:${id}`);
  for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const)
    await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id } });
  return { id, vps };
};
beforeEach(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin();
  boris = await club.member({ configLimit: 20 });
  first = await setUp("Helsinki", "203.0.113.9");
  second = await setUp("Oslo", "203.0.113.10");
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: first.id } });
  asked = await club.otherPanel();
});
afterEach(async () => {
  expect(await heldByAsked()).toEqual([]);
  expect(await failures()).toEqual([]);
  await asked.stop();
  await club.stop();
});

const heldByAsked = async () => {
  const holder = asked.app.parts.heldLeases.holder;
  return (await sql<{ name: string }>`select name from leases where holder = ${holder} and name like 'server%'`.execute(club.db)).rows;
};
/** The clock stands still: a job that had to wait for its next try would never be done. */
const failures = async () =>
  (await sql<{ kind: string }>`select kind, last_error from jobs where attempts > 1 or last_error is not null`.execute(club.db)).rows;
const tunnelsOf = async (id: string) =>
  (await asked.as(admin).call("GET /admin/servers/{id}/interfaces", { params: { id } })).body;
const create = async (name: string) =>
  (await asked.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) })).body;
const keysOn = ({ vps }: { vps: FakeVps }) => vps.host.peers().map(({ publicKey }) => publicKey as string);

const soon = async (what: () => unknown, is: unknown) => {
  const from = performance.now();
  await expect.poll(what, { timeout: 20_000, interval: 20 }).toBe(is);
  t(`  … then ${is}`, from);
};
const tokenOf = async ({ username, password }: Person) => {
  const { body } = await asked.withToken("").send("POST", "/api/auth/login", { username, password });
  return (body as { token: string }).token;
};
const t = (label: string, from: number) => console.log(label, Math.round(performance.now() - from), "ms");

test("revocations", async () => {
  const a = await create("a");
  expect(a.state).toBe("applied");
  await soon(() => keysOn(first).length, 1);
  let from = performance.now();
  await asked.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false } });
  t("block", from);
  await soon(() => keysOn(first).length, 0);
  await asked.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: true } });
  await soon(() => keysOn(first).length, 1);
  from = performance.now();
  await asked.as(admin).call("PUT /admin/configs/{id}/blocked", { params: { id: a.id }, body: { isBlocked: true } });
  t("block config", from);
  await soon(() => keysOn(first).length, 0);
  await asked.as(admin).call("PUT /admin/configs/{id}/blocked", { params: { id: a.id }, body: { isBlocked: false } });
  await soon(() => keysOn(first).length, 1);
  const before = keysOn(first);
  boris = { ...boris, token: await tokenOf(boris) };
  from = performance.now();
  const replaced = await asked.as(boris).send("POST", `/api/vpn/configs/${a.id}/key`, {});
  t("key", from);
  expect(replaced.status).toBe(200);
  await soon(() => keysOn(first).length, 1);
  expect(keysOn(first)).not.toEqual(before);
  from = performance.now();
  const gone = await asked.as(admin).call("POST /admin/configs/delete", { body: { ids: [a.id] } });
  t("delete many", from);
  expect(gone.status).toBe(200);
  await soon(() => keysOn(first).length, 0);
  const b = await create("b");
  expect(b.state).toBe("applied");
  from = performance.now();
  const del = await asked.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } } as never);
  t("delete member", from);
  console.log(del.status, del.code);
  await soon(() => keysOn(first).length, 0);
});

test("interfaces", async () => {
  const a = await create("a");
  const [tunnel] = await tunnelsOf(first.id);
  const change = async (body: object) => {
    const from = performance.now();
    const answer = await asked.as(admin).send("PUT", `/api/admin/wireguard/${first.id}/interfaces/${tunnel?.id}`, body);
    t(`change ${JSON.stringify(body)}`, from);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  await change({ isActive: false });
  await soon(() => first.vps.host.interfaces.size, 0);
  await change({ isActive: true });
  await soon(() => first.vps.host.interfaces.size, 1);
  await change({ listenPort: 40000 });
  await soon(() => [...first.vps.host.interfaces.values()][0]?.listenPort, 40000);
  let from = performance.now();
  const made = await asked.as(admin).send("POST", `/api/admin/servers/${first.id}/create-interface`, {});
  t("create-interface", from);
  expect(made.status).toBe(201);
  await soon(() => first.vps.host.interfaces.size, 2);
  const other = (await tunnelsOf(first.id)).find(({ id }) => id !== tunnel?.id);
  from = performance.now();
  const moved = await asked.as(admin).send("PUT", `/api/admin/configs/${a.id}/interface`, { interfaceId: other?.id });
  t("move", from);
  expect(moved).toMatchObject({ status: 200, body: { state: "applied" } });
  from = performance.now();
  const rm = await asked.as(admin).send("DELETE", `/api/admin/servers/${first.id}/interfaces/${tunnel?.id}`);
  t("delete", from);
  expect(rm).toMatchObject({ status: 204 });
  await soon(() => first.vps.host.interfaces.size, 1);
});

test("rules, drain, server", async () => {
  await create("a");
  await create("b");
  let from = performance.now();
  const rule = await asked.as(admin).send("POST", "/api/admin/rules", { type: "blacklist", target: "198.51.100.0/24" });
  t("rule", from);
  expect(rule).toMatchObject({ status: 201 });
  console.log(JSON.stringify(first.vps.host.access).slice(0, 300));
  from = performance.now();
  const drained = await asked.as(admin).send("POST", `/api/admin/servers/${first.id}/empty`, { toServerId: second.id });
  t("drain", from);
  expect(drained).toMatchObject({ status: 200 });
  await expect.poll(async () => (await asked.as(admin).call("GET /admin/servers/emptyings")).body[0]?.state, { timeout: 5000 }).toBe("done");
  t("drained", from);
  await soon(() => keysOn(second).length, 2);
  from = performance.now();
  await asked.app.lookAtServers();
  await club.settle();
  const main = await asked.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: second.id } });
  expect(main.status).toBe(200);
  from = performance.now();
  const left = await asked.as(admin).send("POST", `/api/admin/servers/${first.id}/leave`);
  t("leave", from);
  console.log(left.status, left.code, JSON.stringify(left.body));
});


test("a step asked here is cancelled here while the other runs it", async () => {
  const vps = club.remotes.rent("203.0.113.30");
  const credentials = { host: "203.0.113.30", port: 22, username: "root", password: "right" };
  const { id } = (await asked.as(admin).send("POST", "/api/admin/servers", { name: "third", credentials })).body as { id: string };
  await club.app.parts.heldLeases.hold(`server:${id}`);
  await club.app.parts.heldLeases.hold(`setup:${id}`);
  const ok = await asked.as(admin).send("POST", `/api/admin/servers/${id}/install-docker`);
  console.log(JSON.stringify(ok.body));
  let open = () => {};
  const gate = new Promise<void>((resolve) => { open = resolve; });
  vps.steps.wireguard = ["#krug stage packages", gate, "more", "#krug done"];
  const from = performance.now();
  const running = asked.as(admin).send("POST", `/api/admin/servers/${id}/install-wireguard`);
  await expect.poll(async () => (await asked.as(admin).send("GET", `/api/admin/servers/${id}/setup`)).body, { timeout: 5000 }).toMatchObject({ steps: [{}, { state: "running" }, {}] });
  t("runs", from);
  console.log((await sql`select name, holder from leases`.execute(club.db)).rows);
  await new Promise((r) => setTimeout(r, 300));
  const cancelled = await asked.as(admin).send("POST", `/api/admin/servers/${id}/setup/cancel`);
  console.log(cancelled.status, cancelled.code, vps.cancelled);
  open();
  console.log(JSON.stringify((await running).body).slice(0, 400));
  t("done", from);
});
