import { generateKeyPair } from "@krug/wireguard/keys";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import type { FakeVps } from "../../../../testing/fake-remotes.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { SshFailure } from "../../../hosts/remote.ts";

const AT = "203.0.113.9";
const DAY_MS = 86_400_000;

let club: Club;
let admin: Person;
let vps: FakeVps;
/** The panel's own machine, which is the main server, and a rented one. */
let own: string;
let rented: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  vps = club.remotes.rent(AT);
  own = (await servers())[0]?.id ?? "";
  const credentials = { host: AT, port: 22, username: "root", password: "right" };
  const body = { name: "Хельсинки", credentials };
  rented = ((await club.as(admin).send("POST", "/api/admin/servers", body)).body as { id: string }).id;
  for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const)
    await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id: rented } });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await club.stop();
});

const servers = async () => (await club.as(admin).call("GET /admin/servers")).body;
const server = async (id: string) => (await servers()).find((one) => one.id === id);
const device = async (owner: Person, name = "laptop", about: Parameters<typeof configInput>[2] = {}) => {
  const { body } = await club
    .as(owner)
    .call("POST /vpn/configs", { body: await configInput(club, owner, { name, ...about }) });
  if (about.publicKey === undefined)
    await club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id: body.id } });
  return body.id;
};
const begin = (from: string, to: string, who = admin) =>
  club.as(who).call("POST /admin/servers/{id}/empty", { params: { id: from }, body: { toServerId: to } });
const latest = async () => (await club.as(admin).call("GET /admin/servers/emptyings")).body[0];
const plan = async (from: string) =>
  (await club.as(admin).call("GET /admin/servers/{id}/emptying", { params: { id: from } })).body;
const configsOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;
const serverOf = async (owner: Person) => [...new Set((await configsOf(owner)).map(({ serverId }) => serverId))];
const movedTold = async (owner: Person) =>
  (await club.as(owner).call("GET /inbox")).body.flatMap((notice) =>
    notice.kind === "configs_moved" ? [notice.params] : [],
  );
const crowd = async (size: number) => {
  const all: Person[] = [];
  for (let each = 0; each < size; each += 1) {
    const member = await club.member();
    await device(member);
    all.push(member);
  }
  return all;
};

test("all devices of a server move to another, their owners are notified once, and nothing new comes to it", async () => {
  const [anna, boris] = [await club.member(), await club.member()];
  for (const name of ["laptop", "phone"]) await device(anna, name);
  await device(boris);
  expect(await plan(own)).toMatchObject({
    devices: 3,
    members: 2,
    keysInBrowser: 0,
    assigned: 0,
    targets: [{ id: rented, name: "Хельсинки", status: "connected", free: 253, capacity: 253 }],
  });
  expect((await begin(own, rented)).body).toMatchObject({ state: "running", total: 3, by: admin.username });
  await club.settle();
  expect(await latest()).toMatchObject({
    from: { id: own },
    to: { id: rented, name: "Хельсинки" },
    state: "done",
    moved: 3,
    stayed: {},
  });
  for (const member of [anna, boris]) expect(await serverOf(member)).toEqual([rented]);
  // The old place works until the device is at the new one.
  expect(vps.host.peers()).toHaveLength(3);
  expect(club.host.peers()).toHaveLength(3);
  expect((await configsOf(anna)).every(({ needsDownload }) => needsDownload)).toBe(true);
  const until = new Date(club.clock.now().getTime() + DAY_MS).toISOString();
  const [told] = await movedTold(anna);
  expect(told?.names.toSorted()).toEqual(["laptop", "phone"]);
  expect(Date.parse(told?.until ?? "")).toBe(Date.parse(until));
  expect(await movedTold(anna)).toHaveLength(1);
  // Members without an assignment get the main server, which is now the other one.
  expect(await server(own)).toMatchObject({ takesNew: false, isMain: false, configCount: 0 });
  expect(await server(rented)).toMatchObject({ takesNew: true, isMain: true, configCount: 3 });
  await device(boris, "new");
  expect(await serverOf(boris)).toEqual([rented]);
  expect((await auditOf(club, own)).map(({ action, after }) => [action, after])).toEqual(
    expect.arrayContaining([
      ["server.emptying_started", { takes_new: false, to_server: "Хельсинки", configs: 3 }],
      ["server.emptied", { to_server: "Хельсинки", moved: 3, stayed: 0 }],
    ]),
  );
});

test("a panel that ends in the middle moves nobody twice: the next one continues after the last slice", async () => {
  const members = await crowd(23);
  const { configs } = club.app.parts;
  const { moveMany } = configs;
  let calls = 0;
  vi.spyOn(configs, "moveMany").mockImplementation(async (...call) => {
    calls += 1;
    if (calls === 22) throw new Error("the panel was killed");
    return moveMany(...call);
  });
  await begin(own, rented);
  await club.settle();
  expect(await latest()).toMatchObject({ state: "running", total: 23, moved: 20 });
  expect(await server(own)).toMatchObject({ configCount: 3 });
  await club.restart();
  club.clock.advance(60_000);
  await club.settle();
  expect(await latest()).toMatchObject({ state: "done", moved: 23, stayed: {} });
  for (const member of members) expect(await movedTold(member)).toHaveLength(1);
  expect(vps.host.peers()).toHaveLength(23);
});

test("a repeated request answers the same drain; one to another server is refused", async () => {
  await device(await club.member());
  vi.spyOn(club.app.parts.configs, "moveMany").mockRejectedValue(new Error("not now"));
  const { body } = await begin(own, rented);
  expect((await begin(own, rented)).body.startedAt).toBe(body.startedAt);
  expect((await begin(own, own)).code).toBe("server.being_emptied");
  expect((await begin(rented, own)).code, "which is closed meanwhile").toBe("server.takes_none");
  await club.settle();
  expect((await club.allRows()).get("emptyings")).toHaveLength(1);
});

test("a stop takes effect between two slices; what moved stays moved", async () => {
  await crowd(21);
  const { configs } = club.app.parts;
  const { moveMany } = configs;
  let calls = 0;
  vi.spyOn(configs, "moveMany").mockImplementation(async (...call) => {
    calls += 1;
    if (calls > 20) throw new Error("not now");
    return moveMany(...call);
  });
  await begin(own, rented);
  await club.settle();
  const stop = () => club.as(admin).call("POST /admin/servers/{id}/empty/stop", { params: { id: own } });
  expect((await stop()).body).toMatchObject({ state: "stopped", moved: 20 });
  expect((await stop()).body).toBeNull();
  vi.restoreAllMocks();
  club.clock.advance(60_000);
  await club.settle();
  expect(await server(own)).toMatchObject({ configCount: 1, takesNew: false });
});

test("devices that cannot move stay and are counted by reason; their owners get no notice", async () => {
  const [anna, boris, vera] = [await club.member(), await club.member(), await club.member()];
  await device(anna, "laptop", { publicKey: generateKeyPair().publicKey });
  await device(boris);
  await device(vera);
  const { interfaces } = club.app.parts;
  const [there] = await interfaces.ofServer(club.db, rented);
  // Room for one device.
  await club.transact((tx) => interfaces.update(tx, there?.id ?? "", { subnet: "10.99.0.0/30" }));
  expect(await plan(own)).toMatchObject({ devices: 3, keysInBrowser: 1, targets: [{ free: 1, capacity: 1 }] });
  await begin(own, rented);
  await club.settle();
  expect(await latest()).toMatchObject({ state: "done", total: 3, moved: 1, stayed: { key_in_browser: 1, full: 1 } });
  expect(await movedTold(anna)).toEqual([]);
  expect((await movedTold(boris)).length + (await movedTold(vera)).length).toBe(1);
});

test("a device whose secret cannot be opened stays, is counted, and stops nobody else's move", async () => {
  const [anna, boris] = [await club.member(), await club.member()];
  const damaged = await device(anna);
  await device(anna, "sound");
  await device(boris);
  await sql`update configs set sealed_preshared_key = 'v1.AAAA' where id = ${damaged}`.execute(club.db);
  await begin(own, rented);
  await club.settle();
  expect(await latest()).toMatchObject({ state: "done", total: 3, moved: 2, stayed: { secret_lost: 1 } });
  const [there] = await club.app.parts.interfaces.ofServer(club.db, rented);
  const move = { params: { id: damaged }, body: { interfaceId: there?.id ?? "" } };
  expect((await club.as(anna).call("PUT /vpn/configs/{id}", move)).code).toBe("config.secret_lost");
});

test("members it is assigned to may use the other one afterwards", async () => {
  const [anna, boris] = [await club.member(), await club.member()];
  const [tunnel] = await club.app.parts.interfaces.ofServer(club.db, own);
  await club.as(admin).call("POST /admin/servers/assign", { body: { userId: anna.id, serverId: own } });
  const assigned = { userId: boris.id, interfaceId: tunnel?.id ?? "" };
  await club.as(admin).call("POST /admin/servers/interfaces/assign", { body: assigned });
  expect(await plan(own)).toMatchObject({ assigned: 2 });
  await begin(own, rented);
  await club.settle();
  const [there] = await club.app.parts.interfaces.ofServer(club.db, rented);
  for (const member of [anna, boris]) {
    const open = (await club.as(member).call("GET /vpn/available-interfaces")).body;
    expect(open.filter(({ reason }) => reason === null).map(({ id }) => id)).toEqual([there?.id]);
    const body = { ...(await configInput(club, member)), interfaceId: there?.id ?? "" };
    expect((await club.as(member).call("POST /vpn/configs", { body })).status).toBe(201);
  }
});

test("a dead server is drained too, and can be deleted then; devices come up at the new place", async () => {
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: rented } });
  const anna = await club.member();
  const id = await device(anna);
  expect(await serverOf(anna)).toEqual([rented]);
  vps.away = new SshFailure("silent");
  const remove = () => club.as(admin).call("DELETE /admin/servers/{id}", { params: { id: rented } });
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: own } });
  expect((await remove()).code).toBe("server.in_use");
  expect((await begin(rented, own)).body).toMatchObject({ total: 1 });
  await club.settle();
  expect(await latest()).toMatchObject({ state: "done", moved: 1 });
  expect(club.host.peers()).toHaveLength(1);
  expect((await remove()).status).toBe(204);
  expect((await configsOf(anna))[0]).toMatchObject({ id, serverId: own, state: "applied" });
  club.clock.advance(DAY_MS + 60_000);
  await club.app.parts.configs.endMoves();
  await club.settle();
  expect((await configsOf(anna))[0]).toMatchObject({ id, serverId: own, moving: null });
});

test("an admin closes a server to new configs and opens it again; existing ones stay", async () => {
  const anna = await club.member();
  await device(anna);
  const turn = (takesNew: boolean) =>
    club.as(admin).call("PUT /admin/servers/{id}", { params: { id: own }, body: { takesNew } });
  expect((await turn(false)).body).toMatchObject({ takesNew: false });
  const body = await configInput(club, anna, { name: "second" });
  expect((await club.as(anna).call("POST /vpn/configs", { body })).code).toBe("interface.inactive");
  expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toMatchObject([{ reason: "server_closed" }]);
  expect(club.host.peers()).toHaveLength(1);
  await turn(true);
  expect((await club.as(anna).call("POST /vpn/configs", { body })).status).toBe(201);
});

test("only an admin may do it", async () => {
  const moderator = await club.moderator();
  expect((await begin(own, rented, moderator)).code).toBe("auth.forbidden");
  const params = { id: own };
  expect((await club.as(moderator).call("POST /admin/servers/{id}/empty/stop", { params })).code).toBe(
    "auth.forbidden",
  );
});

test("outcomes are shown for a day and stored for a month", async () => {
  await begin(own, rented);
  await club.settle();
  expect(await latest()).toMatchObject({ state: "done", total: 0, moved: 0 });
  club.clock.advance(DAY_MS + 60_000);
  admin = await club.admin();
  expect(await latest()).toBeUndefined();
  await club.app.parts.drains.forgetOld();
  expect((await club.allRows()).get("emptyings")).toHaveLength(1);
  club.clock.advance(30 * DAY_MS);
  await club.app.parts.drains.forgetOld();
  expect((await club.allRows()).get("emptyings")).toEqual([]);
});

describe("one interface", () => {
  let from: string;
  let other: string;
  beforeEach(async () => {
    from = (await club.app.parts.interfaces.ofServer(club.db, own))[0]?.id ?? "";
    const create = () =>
      club.as(admin).call("POST /admin/servers/{serverId}/create-interface", { params: { serverId: own }, body: {} });
    other = (await create()).body.interface.id;
    await create();
  });
  const to = (toInterfaceId: string, who = admin) =>
    club.as(who).call("POST /admin/servers/interfaces/{id}/empty", { params: { id: from }, body: { toInterfaceId } });
  const planned = async () =>
    (await club.as(admin).call("GET /admin/servers/interfaces/{id}/emptying", { params: { id: from } })).body;
  const shown = async (id: string) =>
    (await club.as(admin).call("GET /admin/servers/interfaces")).body.find((one) => one.id === id);
  const change = (body: object) =>
    club
      .as(admin)
      .call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: { serverId: own, id: from }, body });
  const deviceThere = async (owner: Person, name = "laptop") => {
    const wish = { ...(await configInput(club, owner, { name })), interfaceId: from };
    const { body } = await club.as(owner).call("POST /vpn/configs", { body: wish });
    await club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id: body.id } });
  };

  test("moves to another of the same server or of another one, and can then be deleted without harm", async () => {
    const [anna, boris] = [await club.member(), await club.member()];
    for (const name of ["laptop", "phone"]) await deviceThere(anna, name);
    await deviceThere(boris);
    const assigned = { userId: boris.id, interfaceId: from };
    await club.as(admin).call("POST /admin/servers/interfaces/assign", { body: assigned });
    const plan = await planned();
    expect(plan).toMatchObject({ devices: 3, members: 2, keysInBrowser: 0, assigned: 1 });
    expect(plan.targets.map(({ name, server, free }) => [name, server, free])).toEqual(
      expect.arrayContaining([
        ["Interface 2", expect.any(String), 253],
        ["Interface 1", "Хельсинки", 253],
      ]),
    );
    expect(plan.targets).toHaveLength(3);
    expect((await to(other)).body).toMatchObject({ kind: "interface", state: "running", total: 3 });
    await club.settle();
    const [emptied] = (await club.as(admin).call("GET /admin/servers/emptyings")).body;
    expect(emptied).toMatchObject({ kind: "interface", from: { id: from }, to: { id: other, name: "Interface 2" } });
    expect(emptied).toMatchObject({ state: "done", moved: 3, stayed: {} });
    expect(await shown(from)).toMatchObject({ configCount: 0, leavingCount: 3, takesNew: false });
    expect(await server(own)).toMatchObject({ leavingCount: 3, takesNew: true, isMain: true });
    expect(await shown(other)).toMatchObject({ configCount: 3, leavingCount: 0, assignedCount: 1 });
    expect((await movedTold(anna))[0]?.names.toSorted()).toEqual(["laptop", "phone"]);
    expect((await auditOf(club, from)).map(({ action, after }) => [action, after])).toEqual(
      expect.arrayContaining([
        ["interface.emptied", { to_server: expect.any(String), to_interface: "Interface 2", moved: 3, stayed: 0 }],
      ]),
    );
    const params = { serverId: own, interfaceId: from };
    const gone = await club.as(admin).call("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", { params });
    expect(gone.status).toBe(204);
    expect((await configsOf(anna)).map(({ state }) => state)).toEqual(["applied", "applied"]);
  });

  test("takes no new devices during and after the drain, until an admin opens it again", async () => {
    const anna = await club.member();
    await deviceThere(anna);
    await to(other);
    await club.settle();
    const body = { ...(await configInput(club, anna, { name: "second" })), interfaceId: from };
    expect((await club.as(anna).call("POST /vpn/configs", { body })).code).toBe("interface.inactive");
    const open = (await club.as(anna).call("GET /vpn/available-interfaces")).body;
    expect(open.find(({ id }) => id === from)?.reason).toBe("server_closed");
    expect((await change({ takesNew: true })).body).toMatchObject({ takesNew: true });
    expect((await club.as(anna).call("POST /vpn/configs", { body })).status).toBe(201);
  });

  test("goes to one place at a time, and never to itself or to a closed one", async () => {
    vi.spyOn(club.app.parts.configs, "moveMany").mockRejectedValue(new Error("not now"));
    await deviceThere(await club.member());
    expect((await to(from)).code).toBe("interface.takes_none");
    const [there] = await club.app.parts.interfaces.ofServer(club.db, rented);
    await club.transact((tx) => club.app.parts.interfaces.update(tx, there?.id ?? "", { takes_new: 0 }));
    expect((await to(there?.id ?? "")).code).toBe("interface.takes_none");
    expect((await planned()).targets.map(({ name }) => name).sort()).toEqual(["Interface 2", "Interface 3"]);
    const { body } = await to(other);
    expect((await to(other)).body.startedAt).toBe(body.startedAt);
    await club.transact((tx) => club.app.parts.interfaces.update(tx, there?.id ?? "", { takes_new: 1 }));
    expect((await to(there?.id ?? "")).code).toBe("interface.being_emptied");
    const params = { id: from };
    const stopped = await club.as(admin).call("POST /admin/servers/interfaces/{id}/empty/stop", { params });
    expect(stopped.body).toMatchObject({ state: "stopped", moved: 0 });
    expect((await to(other, await club.moderator())).code).toBe("auth.forbidden");
  });
});
