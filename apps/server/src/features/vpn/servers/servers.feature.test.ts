import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { contract } from "@krug/contract/api";
import { accessOf, type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { type Reason, reason } from "@krug/domain/reasons";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { makeFakeHost } from "../../../../testing/fake-host.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { insert, update } from "./repository.ts";
import { NOT_REMOTE } from "./table.ts";

const ENDPOINTS = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, spec]) => [`${feature}.${name}`, spec as EndpointSpec] as const),
);

let club: Club;
let admin: Person;
let moderator: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  moderator = await club.moderator();
});
afterEach(() => club.stop());

const listed = async (who = admin, query = {}) => (await club.as(who).call("GET /admin/servers", { query })).body;
const own = async () => (await listed()).find(({ name }) => name === "Этот сервер")!;
const change = (id: string, body: object) => club.as(admin).send("PUT", `/api/admin/servers/${id}`, body);
const history = (id: string) => auditOf(club, id);
const makeConfig = async (owner: Person, name = "laptop") =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
const download = (owner: Person, id: string) =>
  club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id } });

test.each([
  ["with a way to all of 10.0.0.0/8", ["10.0.0.0/8"], "172.16.0.1/24"],
  ["with a way to 172.16.0.0/12 too", ["10.0.0.0/8", "172.16.0.0/12"], "192.168.0.1/24"],
])("a first start on a machine %s makes it a server in another private network", async (_, networks, address) => {
  await club.stop();
  club = await startClub({ look: false });
  club.host.foreign.subnets.push(...networks);
  await club.app.lookAtServers();
  expect(club.app.parts.servers.localLacks()).toEqual([]);
  await expect.poll(() => [...club.host.addresses.values()]).toEqual([[address]]);
});

test("a machine without a free network or port is not a server and says why, until one is free", async () => {
  await club.stop();
  club = await startClub({ look: false });
  const { servers } = club.app.parts;
  club.host.foreign.subnets.push("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16");
  await club.app.lookAtServers();
  const why = reason("local.no_room");
  expect(servers.localLacks()).toEqual([why]);
  admin = await club.admin();
  expect((await club.as(admin).call("GET /admin/system")).body.local).toMatchObject({ why: { code: "local.no_room" } });
  expect(await listed()).toEqual([]);
  club.host.foreign.subnets.pop();
  await club.app.lookAtServers();
  expect(servers.localLacks()).toEqual([]);
  expect(await own()).toMatchObject({ isMain: true, interfaceCount: 1 });
});

test("the reason of a server's silence stays until a more specific one comes, and ends with the silence", async () => {
  const { servers } = club.app.parts;
  const noted = async (...whys: Reason[]) => {
    for (const why of whys) await servers.noteAnswer(await only(), { why });
    return (await only()).unreachable_reason;
  };
  const only = async () => (await servers.all(club.db))[0] as NonNullable<Awaited<ReturnType<typeof servers.find>>>;
  const [vague, silent, closed] = [reason("panel.no_way"), reason("ssh.silent"), reason("ssh.closed")];
  expect(await noted(vague)).toBe(vague);
  expect(await noted(silent, vague, reason("call.given_up"))).toBe(silent);
  expect(await noted(closed)).toBe(closed);
  await servers.noteAnswer(await only(), null);
  expect(await noted(vague)).toBe(vague);
});

describe("what a moderator sees of a server", () => {
  /** Every field of an answer, and whether a moderator may see it. Whoever adds one decides here. */
  const TOLD = {
    ...{ id: true, name: true, driver: true, host: false, credentials: false, fingerprint: false },
    ...{ shownFingerprint: false, system: false, unfit: false, needsSetup: true, tunnelsIn: true, endpoint: true },
    // False where the server has another one, which members' files name.
    ...{ defaultEndpoint: false, isMain: true, is_main: true, isSetupComplete: true, is_setup_complete: true },
    ...{ status: true, error: false, why: false, problem: true, errorSince: true, lastSync: true, createdAt: true },
    ...{ created_at: true, stats: true, interfaceCount: true, configCount: true, peerCount: true, capacity: true },
    ...{
      takesNew: true,
      forwarding: true,
      namesUnresolved: false,
      speedsUnlimited: false,
      pathMtu: true,
      opensForwarding: true,
      toDownload: true,
    },
    ...{ leavingCount: true, assignedCount: true, whyNotDeleted: true },
  } satisfies Record<keyof Awaited<ReturnType<typeof listed>>[number], boolean>;
  const SECRETS = ["198.51.100.77", "rootina", "22022", "SHA256:", "Debian-secret", "ssh_host"];

  /** An unreachable machine with a value in every field, and messages of its own. */
  const secretive = async () => {
    const found = {
      ...NOT_REMOTE,
      id: randomUUID(),
      name: "Хельсинки",
      driver: "ssh" as const,
      panel_id: null,
      machine: null,
      endpoint: "hel.club.example",
      default_endpoint: "198.51.100.77",
      ssh_host: "198.51.100.77",
      ssh_port: 22_022,
      ssh_username: "rootina",
      host_key: "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      shown_host_key: "SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB",
      about: JSON.stringify({ system: "Debian-secret 12" }),
      unreachable_since: 1,
      unreachable_reason: reason("ssh.closed", {}, "connect ECONNREFUSED 198.51.100.77:22022 as rootina"),
      unreachable_problem: "closed" as const,
      names_failure: reason("names.failed", {}, "dnsmasq: Debian-secret"),
      speed_failure: reason("program.failed", { program: "tc", code: 2 }, "tc: Debian-secret"),
    };
    const [like] = await club.app.parts.servers.all(club.db);
    await club.transact((tx) =>
      insert(club.app.parts, tx, { ...(like as NonNullable<typeof like>), ...found, is_main: 0 }),
    );
  };

  test("has neither the way to its machine nor the machine's messages, in any field", async () => {
    await secretive();
    const [admins] = (await listed()).filter(({ name }) => name === "Хельсинки");
    for (const [field, isTold] of Object.entries(TOLD))
      if (!isTold && field !== "unfit") expect(admins?.[field as "host"], field).not.toBeNull();
    for (const rows of [await listed(moderator), await listed(admin, { as: "moderator" })]) {
      const [row] = rows.filter(({ name }) => name === "Хельсинки");
      expect(Object.keys(row ?? {}).toSorted()).toEqual(Object.keys(TOLD).toSorted());
      for (const [field, isTold] of Object.entries(TOLD))
        expect(row?.[field as "host"], field).toEqual(isTold ? admins?.[field as "host"] : null);
    }
  });

  test("is in no other answer to staff either", async () => {
    await secretive();
    const seen: string[] = [];
    for (const [key, spec] of ENDPOINTS) {
      const { method, path, answer } = spec;
      if (method === "GET" && accessOf(spec) === "staff" && !path.includes("{") && !isStream(answer)) {
        const { status, body } = await club.as(moderator).send("GET", `/api${path}`);
        if (status === 200) seen.push(key);
        for (const secret of SECRETS) expect(JSON.stringify(body ?? ""), `${key}: ${secret}`).not.toContain(secret);
      }
    }
    expect(seen).toEqual(expect.arrayContaining(["servers.list", "accessRules.servers", "interfaces.list"]));
  });
});

/** A server of a panel that no longer exists. */
async function addForeign(about: object = {}) {
  const id = randomUUID();
  const row = {
    name: "Старый",
    driver: "local" as const,
    panel_id: randomUUID(),
    machine: null,
    endpoint: "old.example",
  };
  const rest = { default_endpoint: null, is_main: 0, is_setup_complete: 1, takes_new: 1, unreachable_since: null };
  const never = { unreachable_reason: null, reconciled_at: null, created_at: 1, deleted_at: null };
  await club.transact((tx) => insert(club.app.parts, tx, { ...NOT_REMOTE, id, ...row, ...rest, ...never, ...about }));
  return id;
}

test("the panel's own machine is the main server, connected, with its interface and its devices", async () => {
  const anna = await club.member();
  await makeConfig(anna);
  const [server] = await listed();
  expect(server).toMatchObject({
    name: "Этот сервер",
    isMain: true,
    is_main: 1,
    isSetupComplete: true,
    status: "connected",
    error: null,
    endpoint: null,
    defaultEndpoint: "198.51.100.7",
    interfaceCount: 1,
    configCount: 1,
    peerCount: 1,
    capacity: 253,
    stats: null,
    whyNotDeleted: "server.is_local",
  });
  expect(Date.parse(server?.lastSync ?? "")).toBe(club.clock.now().getTime());
});

describe("a panel that lost its panel-id", () => {
  const MINUTE_MS = 60_000;
  const peers = () => club.host.peers().map(({ publicKey }) => publicKey);
  const look = async () => {
    await club.app.lookAtServers();
    await club.settle();
  };
  const loseIdentity = async () => {
    await rm(join(club.config.dataDir, "panel-id"));
    await club.restart();
  };
  /** Longer than a running panel would be silent. */
  const untilSilent = async () => {
    for (let minute = 0; minute < 4; minute += 1) {
      club.clock.advance(MINUTE_MS);
      await look();
    }
  };

  test("continues with its server and its devices, and removes what was deleted; no second server is ever made", async () => {
    const anna = await club.member();
    const [kept, deleted] = [await makeConfig(anna, "kept"), await makeConfig(anna, "deleted")];
    const { id } = await own();
    const before = peers();
    club.host.away = "unplugged";
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id: deleted.id } });
    club.host.away = null;
    await loseIdentity();
    expect(await listed()).toHaveLength(1);
    await untilSilent();
    expect(await listed()).toMatchObject([{ id, isMain: true, status: "connected", interfaceCount: 1 }]);
    expect(peers()).toEqual(before.slice(0, 1));
    expect((await download(anna, kept.id)).status).toBe(200);
    expect((await makeConfig(anna, "new")).state).toBe("applied");
  });

  test("recognises its machine after a reboot too, when nothing is up there yet", async () => {
    const anna = await club.member();
    await makeConfig(anna);
    const [{ id }, before] = [await own(), peers()];
    club.host.reboot();
    await loseIdentity();
    await untilSilent();
    expect(await listed()).toMatchObject([{ id, status: "connected" }]);
    expect(peers()).toEqual(before);
  });

  test("makes a new server next to the old one on another machine, with none of its interfaces there", async () => {
    const { id } = await own();
    club.host.reboot();
    club.host.machine = "the-second";
    await loseIdentity();
    await untilSilent();
    const servers = await listed();
    expect(servers).toHaveLength(2);
    expect(servers.find((server) => server.id === id)).toMatchObject({ status: "silent" });
  });

  // Panels share PostgreSQL only.
  if (process.env.TEST_ENGINE === "postgres")
    test.each([
      ["leaves the machine to it", () => club.host, "taken", 1],
      ["gets a server of its own on a copy of the machine", () => makeFakeHost(), "free", 2],
    ])("that meets the server of a running panel %s", async (_, hostOf, whose, count) => {
      const { panelId, servers } = club.app.parts;
      const [before] = await servers.all(club.db);
      const other = await club.otherPanel(hostOf());
      try {
        const looked = async () => {
          await other.app.lookAtServers();
          return servers.all(club.db);
        };
        // It knows once the lease was renewed.
        const isKnown = async () => (await looked()).length === 2 || other.app.parts.servers.localLacks().length > 0;
        expect(await looked()).toHaveLength(1);
        await expect.poll(isKnown, { timeout: 20_000, interval: 500 }).toBe(true);
        const all = await looked();
        expect(all).toHaveLength(count);
        expect(all.find(({ id }) => id === before?.id)?.panel_id).toBe(panelId);
        const why = [reason("local.taken")];
        expect(other.app.parts.servers.localLacks()).toEqual(whose === "taken" ? why : []);
      } finally {
        await other.stop();
      }
    });
});

test("refresh reads live numbers of the machine, which the list then shows with their age", async () => {
  const { id } = await own();
  const answer = await club.as(admin).call("GET /admin/servers/{id}/refresh", { params: { id } });
  expect(answer.body).toMatchObject({
    host: "vpn-1",
    stats: {
      cpu: { usage: 14, cores: 4 },
      memory: { total: 8 * 2 ** 30, used: 2.5 * 2 ** 30, free: 5.5 * 2 ** 30 },
      load: [0.42, 0.37, 0.31],
      ip_address: "198.51.100.7",
      readAt: club.clock.now().toISOString(),
    },
  });
  expect((await own()).stats).toEqual(answer.body.stats);
});

test("a machine that is down says so and since when; refreshed after it is back, it is connected", async () => {
  const { id } = await own();
  club.host.away = "no route to host";
  await club.app.parts.jobs.settled(await club.app.lookAtServers().catch(() => []), 1_000);
  await club.settle();
  const gone = await own();
  expect(gone).toMatchObject({
    status: "error",
    error: "no route to host",
    errorSince: club.clock.now().toISOString(),
  });
  const refused = await club.as(admin).call("GET /admin/servers/{id}/refresh", { params: { id } });
  expect([refused.status, refused.code]).toEqual([503, "server.unreachable"]);
  expect(refused.message).toContain("no route to host");
  club.host.away = null;
  const back = await club.as(admin).call("GET /admin/servers/{id}/refresh", { params: { id } });
  expect(back.body).toMatchObject({ status: "connected", error: null, errorSince: null });
});

describe("name and endpoint", () => {
  test("are changed, trimmed and audited; an empty endpoint restores the default", async () => {
    const { id } = await own();
    expect((await change(id, { name: " Хельсинки ", endpoint: "vpn.example.org" })).body).toMatchObject({
      name: "Хельсинки",
      endpoint: "vpn.example.org",
    });
    expect((await change(id, { endpoint: "" })).body).toMatchObject({ name: "Хельсинки", endpoint: null });
    expect((await history(id)).map(({ before, after }) => [before, after])).toContainEqual([
      { name: "Этот сервер", endpoint: null },
      { name: "Хельсинки", endpoint: "vpn.example.org" },
    ]);
    expect(await history(id)).toHaveLength(2);
    await change(id, { name: "Хельсинки" });
    expect(await history(id), "a change that changes nothing is none").toHaveLength(2);
  });

  test.each(["vpn.example.org:51820", "10.8", "a b", "-x.example", "http://x", "[::1]"])(
    "%j is not an endpoint: the field is named and nothing is kept",
    async (endpoint) => {
      const { id } = await own();
      const answer = await change(id, { name: "Другой", endpoint });
      expect([answer.status, answer.code]).toEqual([400, "server.endpoint_invalid"]);
      expect(answer.body).toMatchObject({ error: { details: { field: "endpoint" } } });
      expect(await own()).toMatchObject({ name: "Этот сервер", endpoint: null });
    },
  );

  test("another endpoint marks downloaded files, whose number was shown before; an interface with its own is not affected", async () => {
    const { id } = await own();
    const anna = await club.member();
    const config = await makeConfig(anna);
    // Lists are in order of creation.
    club.clock.advance(1_000);
    await makeConfig(anna, "tablet");
    expect((await own()).toDownload, "a file that nobody has is not old").toBe(0);
    await download(anna, config.id);
    expect((await own()).toDownload).toBe(1);
    await change(id, { endpoint: "vpn.example.org" });
    const needs = async () =>
      (await club.as(anna).call("GET /vpn/configs")).body.map(({ name, needsDownload }) => [name, needsDownload]);
    expect(await needs()).toEqual([
      ["laptop", true],
      ["tablet", false],
    ]);
    const text = (await download(anna, config.id)).body as unknown as string;
    expect(text).toContain("Endpoint = vpn.example.org:");
    const [first] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    await club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
      params: { serverId: id, id: first!.id },
      body: { endpoint: "other.example.org" },
    });
    await download(anna, config.id);
    expect((await own()).toDownload).toBe(0);
    await change(id, { endpoint: "third.example.org" });
    expect((await needs())[0]).toEqual(["laptop", false]);
  });

  test("of two who edit it at once the second is refused, and nothing of the first is lost", async () => {
    const { id } = await own();
    const expected = { name: "Этот сервер", endpoint: null };
    expect((await change(id, { name: "Первый", expected })).status).toBe(200);
    const second = await change(id, { name: "Второй", expected });
    expect([second.status, second.code]).toEqual([409, "server.changed_meanwhile"]);
    expect(second.body).toMatchObject({ error: { details: { fields: ["name"] } } });
    expect((await listed())[0]?.name).toBe("Первый");
    expect((await change(id, { endpoint: "a.example", expected })).status, "another field meets nobody").toBe(200);
  });
});

test("one server is the main one, and members without an assignment get its interfaces", async () => {
  const foreign = await addForeign();
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: foreign } });
  expect((await listed()).filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual([foreign]);
  const anna = await club.member();
  expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toEqual([]);
  const back = await own();
  await Promise.all(
    [back.id, foreign, back.id].map((id) =>
      club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id } }),
    ),
  );
  expect((await listed()).filter(({ isMain }) => isMain)).toHaveLength(1);
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: back.id } });
  expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toHaveLength(1);
});

describe("deleting a server", () => {
  const remove = (id: string) => club.as(admin).call("DELETE /admin/servers/{id}", { params: { id } });

  test("is never possible where the panel itself runs: it would be back within a minute", async () => {
    const { id } = await own();
    expect((await remove(id)).code).toBe("server.is_local");
    expect(await listed()).toHaveLength(1);
  });

  test("is never possible for the main one", async () => {
    const id = await addForeign();
    await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id } });
    expect((await remove(id)).code).toBe("server.is_main");
  });

  test("is only possible without configs, which reveals no VIP member's to a moderator", async () => {
    const moderator = await club.moderator();
    const { id } = await own();
    await makeConfig(await club.member({ row: { is_vip: 1 } }));
    // Its panel no longer exists, and another server is the main one.
    const main = await addForeign();
    await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id: main } });
    await club.transact((tx) => update(club.app.parts, tx, id, { panel_id: randomUUID(), reconciled_at: null }));
    const why = async (who: Person, query = {}) =>
      (await listed(who, query)).find((server) => server.id === id)?.whyNotDeleted;
    expect(await why(admin)).toBe("server.in_use");
    expect((await remove(id)).code).toBe("server.in_use");
    expect(await why(moderator)).toBeNull();
    expect(await why(admin, { as: "moderator" })).toBeNull();
  });

  test("is possible if nobody has a config on it, and ends its assignments", async () => {
    const id = await addForeign();
    const anna = await club.member();
    await club.as(admin).call("POST /admin/servers/assign", { body: { userId: anna.id, serverId: id } });
    expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toEqual([]);
    expect((await listed()).find((server) => server.id === id)).toMatchObject({
      whyNotDeleted: null,
      status: "pending",
    });
    expect((await remove(id)).status).toBe(204);
    expect(await listed()).toHaveLength(1);
    // Back to the main server's.
    expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toHaveLength(1);
    expect((await remove(id)).code).toBe("server.not_found");
  });
});

describe("assignment of a server", () => {
  const assign = (who: Person, userId: string, serverId: string) =>
    club.as(who).call("POST /admin/servers/assign", { body: { userId, serverId } });
  const assigned = async (who: Person, id: string, query = {}) =>
    club.as(who).call("GET /admin/servers/user-assignments/{id}", { params: { id }, query });

  test("a server's id answers its members, a member's id their servers; assigning twice is once", async () => {
    const { id } = await own();
    const anna = await club.member({ username: "anna", row: { display_name: "Анна" } });
    for (let twice = 0; twice < 2; twice++)
      expect((await assign(admin, "ANNA", id)).body).toEqual({
        userId: anna.id,
        username: "anna",
        displayName: "Анна",
      });
    expect((await assigned(admin, id)).body).toEqual([{ userId: anna.id, username: "anna", displayName: "Анна" }]);
    expect((await assigned(admin, "anna")).body).toEqual([{ serverId: id, name: "Этот сервер" }]);
    expect((await own()).assignedCount).toBe(1);
    expect((await history(anna.id)).map(({ action }) => action)).toEqual(["server.assigned"]);
    const params = { userId: anna.id, serverId: id };
    for (let twice = 0; twice < 2; twice++)
      expect((await club.as(admin).call("DELETE /admin/servers/assign/{userId}/{serverId}", { params })).status).toBe(
        204,
      );
    expect((await assigned(admin, id)).body).toEqual([]);
    expect((await assigned(admin, randomUUID())).status).toBe(404);
  });

  test("is paged, found by a name, each member once", async () => {
    const { id } = await own();
    for (let number = 0; number < 5; number++)
      await assign(admin, (await club.member({ username: `person_${number}` })).id, id);
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await assigned(admin, id, { limit: 2, ...(cursor === null ? {} : { cursor }) });
      expect(page.headers.get("x-total-count")).toBe("5");
      names.push(...(page.body as { username: string }[]).map(({ username }) => username));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(names.sort()).toEqual([0, 1, 2, 3, 4].map((number) => `person_${number}`));
    expect((await assigned(admin, id, { q: "son_3" })).body).toMatchObject([{ username: "person_3" }]);
  });

  test("ends with the member", async () => {
    const { id } = await own();
    const anna = await club.member();
    await assign(admin, anna.id, id);
    await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } });
    expect((await own()).assignedCount).toBe(0);
    expect((await assigned(admin, id)).body).toEqual([]);
  });
});

test("a moderator, and an admin who looks as one, sees servers without VIP members' part", async () => {
  const { id } = await own();
  const vip = await club.member({ row: { is_vip: 1 } });
  const anna = await club.member();
  for (const person of [vip, anna]) {
    await makeConfig(person);
    await club.as(admin).call("POST /admin/servers/assign", { body: { userId: person.id, serverId: id } });
  }
  const seen = { configCount: 1, peerCount: 1, assignedCount: 1 };
  expect((await listed())[0]).toMatchObject({ configCount: 2, peerCount: 2, assignedCount: 2 });
  expect((await listed(moderator))[0]).toMatchObject(seen);
  expect((await listed(admin, { as: "moderator" }))[0]).toMatchObject(seen);
  const members = async (who: Person) =>
    (await club.as(who).call("GET /admin/servers/user-assignments/{id}", { params: { id } })).headers.get(
      "x-total-count",
    );
  expect([await members(admin), await members(moderator)]).toEqual(["2", "1"]);
  const ofVip = await club.as(moderator).call("GET /admin/servers/user-assignments/{id}", { params: { id: vip.id } });
  expect(ofVip.code).toBe("member.not_found");
});
