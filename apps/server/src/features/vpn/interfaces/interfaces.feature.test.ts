import { cidrsOverlap } from "@krug/wireguard/addresses";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let moderator: Person;
let serverId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  moderator = await club.moderator();
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
});
afterEach(() => club.stop());

const listed = async (who = admin) => (await club.as(who).call("GET /admin/servers/interfaces")).body;
const first = async () => (await listed())[0]!;
const create = (body: object | undefined = {}) => {
  // Lists are in order of creation.
  club.clock.advance(1_000);
  return club.as(admin).send("POST", `/api/admin/servers/${serverId}/create-interface`, body);
};
const created = async (body?: object) => {
  const answer = await create(body);
  expect(answer.status).toBe(201);
  return (answer.body as { interface: Awaited<ReturnType<typeof first>> }).interface;
};
const change = (id: string, body: object) =>
  club.as(admin).send("PUT", `/api/admin/wireguard/${serverId}/interfaces/${id}`, body);
const remove = (id: string, configs?: number) =>
  club
    .as(admin)
    .send(
      "DELETE",
      `/api/admin/servers/${serverId}/interfaces/${id}${configs === undefined ? "" : `?configs=${configs}`}`,
    );
const makeConfig = async (owner: Person, about: object = {}) =>
  (await club.as(owner).call("POST /vpn/configs", { body: { ...(await configInput(club, owner)), ...about } })).body;
const configsOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;
const download = (owner: Person, id: string) =>
  club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id } });
const history = (id: string) => auditOf(club, id);
const switchOn = () => club.transact((tx) => club.app.parts.settings.write(tx, { moderatorMayInterfaces: true }));

describe("simultaneous requests", () => {
  /** All of them have inspected the machine before any of them writes. */
  const afterLooks = (count: number) => {
    const { occupied } = club.host;
    let looks = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    club.host.occupied = async () => {
      const seen = await occupied();
      if (++looks >= count) open();
      await all;
      return seen;
    };
    return () => {
      club.host.occupied = occupied;
    };
  };
  const kept = async () => {
    const all = await listed();
    return { ports: all.map(({ listenPort }) => listenPort), subnets: all.map(({ subnet }) => subnet) };
  };

  test("for one port or overlapping network: one is served, the other refused with the reason", async () => {
    const [one, other] = [await first(), await created()];
    for (const [wishes, code] of [
      [[{ listenPort: 53_001 }, { listenPort: 53_001 }], "interface.port_taken"],
      [[{ subnet: "10.77.0.0/24" }, { subnet: "10.77.0.128/25" }], "interface.subnet_taken"],
      [[{ listenPort: 53_002 }, { listenPort: 53_002 }], "interface.port_taken"],
      [[{ subnet: "10.78.0.0/16" }, { subnet: "10.78.7.0/24" }], "interface.subnet_taken"],
    ] as const) {
      const asBefore = afterLooks(2);
      const answers = await Promise.all([change(one.id, wishes[0]), change(other.id, wishes[1])]);
      asBefore();
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.code).toBe(code);
    }
  });

  test("for new interfaces get a place each, of whatever sizes", async () => {
    const asBefore = afterLooks(4);
    const answers = await Promise.all([
      create(),
      create({ prefix: 22 }),
      create({ prefix: 24 }),
      create({ prefix: 20 }),
    ]);
    asBefore();
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "interface.no_room"));
    const { ports, subnets } = await kept();
    expect(new Set(ports).size).toBe(ports.length);
    for (const [at, subnet] of subnets.entries())
      for (const next of subnets.slice(at + 1))
        expect([subnet, next, cidrsOverlap(subnet, next)]).toEqual([subnet, next, false]);
  });
});

describe("a new interface", () => {
  test("is 'Interface N' with the next name, port and subnet, and is up when the answer comes", async () => {
    const answer = await create(undefined);
    expect(answer.body).toMatchObject({
      success: true,
      interface: {
        name: "Interface 2",
        interfaceName: "wg1",
        interface_name: "wg1",
        listenPort: 51821,
        subnet: "10.8.1.0/24",
        isActive: true,
        conflict: null,
        configCount: 0,
        capacity: 253,
      },
    });
    expect(club.host.interfaces.get("wg1")).toMatchObject({ listenPort: 51821 });
    expect(club.host.devicesOn("wg1")).toEqual([]);
    expect(club.host.interfaces.has("wg0")).toBe(true);
    const { id } = (answer.body as { interface: { id: string } }).interface;
    expect(await history(id)).toMatchObject([
      { action: "interface.added", actorId: admin.id, after: { name: "Interface 2", listen_port: 51821 } },
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/private|sealed/i);
  });

  test("avoids what others have on the machine", async () => {
    club.host.foreign.interfaceNames.push("wg1");
    club.host.foreign.udpPorts.push(51821, 51822);
    club.host.foreign.subnets.push("10.8.1.0/25", "10.8.2.7/32");
    expect(await created()).toMatchObject({ interfaceName: "wg2", listenPort: 51823, subnet: "10.8.3.0/24" });
  });

  test("never shares a name, port or subnet with another, however many are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => created()));
    for (const of of ["interfaceName", "listenPort", "subnet", "name"] as const)
      expect(new Set(made.map((one) => one[of])).size).toBe(4);
  });

  test("may have a name of its own; after a deletion no name is reused", async () => {
    expect(await created({ name: " Семья " })).toMatchObject({ name: "Семья" });
    const third = await created();
    expect(third.name).toBe("Interface 3");
    await remove((await first()).id);
    expect((await created()).name).toBe("Interface 4");
  });

  test("is refused if the machine is down, and nothing is written", async () => {
    club.host.away = "no answer";
    const answer = await create();
    expect([answer.status, answer.code]).toEqual([503, "server.unreachable"]);
    expect(await listed()).toHaveLength(1);
  });

  test.each([
    [22, "10.8.4.0/22", 1_021],
    [20, "10.8.16.0/20", 4_093],
    [18, "10.8.64.0/18", 16_381],
  ] as const)("may be larger: a /%i takes the next free %s", async (prefix, subnet, capacity) => {
    expect(await created({ prefix })).toMatchObject({ subnet, capacity });
    expect((await create({ prefix: 25 as 24 })).code).toBe("request.invalid");
  });

  test("with IPv6 gives each device two addresses, in its file and on the wire", async () => {
    const made = await created({ ipv6: true });
    const [, network] = /^(fd.*::)\/64$/.exec(made.subnetV6 ?? "") ?? [];
    expect(club.host.addresses.get("wg1")).toEqual(["10.8.1.1/24", `${network}1/64`]);
    const anna = await club.member();
    const { id } = await makeConfig(anna, { interfaceId: made.id });
    expect((await download(anna, id)).body).toContain(`Address = 10.8.1.2/32, ${network}2/128`);
    expect(club.host.devicesOn("wg1")).toMatchObject([{ allowedIps: ["10.8.1.2/32", `${network}2/128`] }]);
    expect((await created()).subnetV6).toBeNull();
  });

  test("gets a subnet of another private range if its own is used up, and is refused if none is left", async () => {
    club.host.foreign.subnets.push("10.0.0.0/8");
    expect(await created()).toMatchObject({ subnet: "172.16.0.0/24" });
    club.host.foreign.subnets.push("172.16.0.0/12");
    expect(await created()).toMatchObject({ subnet: "192.168.0.0/24" });
    club.host.foreign.subnets.push("192.168.0.0/16");
    expect((await create()).code).toBe("interface.no_room");
  });

  test("accepts configs: its address, key and port are in the file, their peer is on its wire", async () => {
    const made = await created();
    const anna = await club.member();
    const { id } = await makeConfig(anna, { interfaceId: made.id });
    const text = (await download(anna, id)).body as unknown as string;
    expect(text).toMatch(/Address = 10\.8\.1\.2\/32/);
    expect(text).toContain(":51821");
    expect(club.host.devicesOn("wg1")).toHaveLength(1);
    expect(club.host.devicesOn("wg0")).toHaveLength(0);
    expect((await listed()).find((one) => one.id === made.id)).toMatchObject({ configCount: 1, peerCount: 1 });
  });
});

describe("a change of an interface", () => {
  test("of the port is on the machine when the answer comes, and marks downloaded files, whose number was shown before", async () => {
    const anna = await club.member();
    const { id } = await makeConfig(anna);
    club.clock.advance(1_000);
    await makeConfig(anna, { name: "tablet" });
    await download(anna, id);
    expect((await first()).toDownload).toBe(1);
    const answer = await change((await first()).id, { listen_port: 4500 });
    expect(answer.body).toMatchObject({ listenPort: 4500, listen_port: 4500 });
    expect(club.host.interfaces.get("wg0")).toMatchObject({ listenPort: 4500 });
    expect(club.host.devicesOn("wg0")).toHaveLength(2);
    expect((await configsOf(anna)).map(({ needsDownload }) => needsDownload)).toEqual([true, false]);
    expect((await download(anna, id)).body).toContain(":4500");
  });

  test.each([
    [{ mtu: 1380 }, "MTU = 1380"],
    [{ endpoint: "fast.example.org" }, "Endpoint = fast.example.org:51820"],
  ])("%j marks downloaded files and is in the next ones", async (body, line) => {
    const anna = await club.member();
    const { id } = await makeConfig(anna);
    await download(anna, id);
    expect((await change((await first()).id, body)).status).toBe(200);
    expect((await configsOf(anna))[0]?.needsDownload).toBe(true);
    expect((await download(anna, id)).body).toContain(line);
  });

  test("of the name marks nothing", async () => {
    const anna = await club.member();
    const { id } = await makeConfig(anna);
    await download(anna, id);
    await change((await first()).id, { name: "Основной" });
    expect((await configsOf(anna))[0]?.needsDownload).toBe(false);
  });

  test("switched off it leaves the machine with all of its peers; switched on they return with the same files", async () => {
    const anna = await club.member();
    const { id } = await makeConfig(anna);
    const file = (await download(anna, id)).body;
    const { id: interfaceId } = await first();
    expect((await change(interfaceId, { isActive: false })).body).toMatchObject({
      isActive: false,
      is_active: 0,
      peerCount: 0,
    });
    expect(club.host.interfaces.size).toBe(0);
    expect(await configsOf(anna)).toMatchObject([{ state: "off" }]);
    expect((await club.as(anna).call("GET /vpn/available-interfaces")).body).toMatchObject([{ reason: "inactive" }]);
    expect((await change(interfaceId, { is_active: "1" })).body).toMatchObject({ peerCount: 1 });
    expect(await configsOf(anna)).toMatchObject([{ state: "applied" }]);
    expect((await download(anna, id)).body).toBe(file);
  });

  test("to IPv6 and back is possible while it is empty", async () => {
    const { id } = await first();
    expect((await change(id, { ipv6: true, expected: { ipv6: false } })).body).toMatchObject({
      subnet: "10.8.0.0/24",
      subnetV6: expect.stringMatching(/^fd.*::\/64$/),
    });
    expect(club.host.addresses.get("wg0")).toHaveLength(2);
    expect((await change(id, { ipv6: false, expected: { ipv6: false } })).code).toBe("interface.changed_meanwhile");
    const { subnetV6 } = await first();
    expect((await change(id, { ipv6: true })).body).toMatchObject({ subnetV6 });
    const anna = await club.member();
    await makeConfig(anna);
    const refused = await change(id, { ipv6: false });
    expect(refused.body).toMatchObject({ error: { code: "interface.subnet_in_use", details: { field: "ipv6" } } });
    expect(await first()).toMatchObject({ subnetV6 });
  });

  test("of the subnet is possible while it is empty, also of just deleted configs", async () => {
    const { id } = await first();
    expect((await change(id, { subnet: "10.20.0.5/16" })).body).toMatchObject({
      subnet: "10.20.0.0/16",
      capacity: 65_533,
    });
    const anna = await club.member();
    const config = await makeConfig(anna);
    expect((await download(anna, config.id)).body).toContain("Address = 10.20.0.2/32");
    const refused = await change(id, { subnet: "10.30.0.0/24" });
    expect([refused.code, refused.status]).toEqual(["interface.subnet_in_use", 409]);
    expect(refused.body).toMatchObject({ error: { details: { field: "subnet", count: 1 } } });
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id: config.id } });
    expect((await change(id, { subnet: "10.30.0.0/24" })).code).toBe("interface.subnet_in_use");
  });

  test.each([
    ["interface.subnet_invalid", { subnet: "8.8.8.0/24" }, "subnet"],
    ["interface.subnet_invalid", { subnet: "10.8.0.0/8" }, "subnet"],
    ["interface.subnet_taken", { subnet: "10.8.1.128/25" }, "subnet"],
    ["interface.subnet_taken", { subnet: "10.77.0.0/24" }, "subnet"],
    ["interface.port_taken", { listenPort: 51821 }, "listenPort"],
    ["interface.port_taken", { listenPort: 53 }, "listenPort"],
    ["interface.endpoint_invalid", { endpoint: "vpn.example:1" }, "endpoint"],
    ["request.invalid", { listenPort: 0 }, "listenPort"],
    ["request.invalid", { listenPort: 65_536 }, "listenPort"],
    ["request.invalid", { mtu: 1_279 }, "mtu"],
    ["request.invalid", { name: "" }, "name"],
  ])("%s: %j names the field and changes nothing", async (code, body, field) => {
    await created();
    club.host.foreign.udpPorts.push(53);
    club.host.foreign.subnets.push("10.77.0.0/16");
    const before = await first();
    const answer = await change(before.id, { name: "Другое", ...body });
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({ error: { details: { field } } });
    expect(await first()).toEqual(before);
  });

  test("its own port and subnet do not conflict", async () => {
    const { id } = await first();
    club.host.foreign.subnets.push("10.8.0.1/24", "10.8.0.0/24");
    expect((await change(id, { listenPort: 51820, subnet: "10.8.0.0/16" })).body).toMatchObject({
      subnet: "10.8.0.0/16",
    });
  });

  test("of two who edit it at once the second is refused; a field that only the other changed stays", async () => {
    const { id } = await first();
    const expected = { name: "Interface 1", mtu: null, isActive: true };
    expect((await change(id, { mtu: 1400, expected })).status).toBe(200);
    const second = await change(id, { mtu: 1300, expected });
    expect([second.status, second.code]).toEqual([409, "interface.changed_meanwhile"]);
    expect(second.body).toMatchObject({ error: { details: { fields: ["mtu"] } } });
    expect((await change(id, { name: "Семья", expected })).body).toMatchObject({ name: "Семья", mtu: 1400 });
    expect((await history(id)).map(({ before, after }) => [before, after])).toEqual(
      expect.arrayContaining([
        [{ mtu: null }, { mtu: 1400 }],
        [{ name: "Interface 1" }, { name: "Семья" }],
      ]),
    );
  });

  test("a change of another server's interface is refused", async () => {
    const { id } = await first();
    const answer = await club
      .as(admin)
      .send("PUT", `/api/admin/wireguard/00000000-0000-4000-8000-000000000000/interfaces/${id}`, { name: "x" });
    expect(answer.code).toBe("interface.not_found");
  });
});

describe("deleting an interface", () => {
  test("at once if it has no configs, and is gone from the machine when the answer comes", async () => {
    const made = await created();
    expect(club.host.interfaces.has("wg1")).toBe(true);
    expect((await remove(made.id)).status).toBe(204);
    expect(club.host.interfaces.has("wg1")).toBe(false);
    expect(await listed()).toHaveLength(1);
    expect((await remove(made.id)).code).toBe("interface.not_found");
  });

  test("with configs only if the request says how many; they go with their keys, and the last bytes are counted", async () => {
    const made = await created();
    const anna = await club.member();
    const config = await makeConfig(anna, { interfaceId: made.id });
    await makeConfig(anna, { name: "other" });
    const peer = club.host.devicesOn("wg1")[0]!;
    club.host.use(peer.publicKey, { rx: 500, tx: 9_000 }, club.clock.now().getTime());
    const refused = await remove(made.id);
    expect([refused.status, refused.code]).toEqual([409, "interface.in_use"]);
    expect(refused.body).toMatchObject({ error: { details: { count: 1 } } });
    expect((await remove(made.id, 2)).code, "somebody made or deleted one meanwhile").toBe("interface.in_use");
    expect(await configsOf(anna)).toHaveLength(2);

    expect((await remove(made.id, 1)).status).toBe(204);
    expect((await configsOf(anna)).map(({ name }) => name)).toEqual(["other"]);
    expect(club.host.interfaces.has("wg1")).toBe(false);
    expect((await club.app.parts.traffic.statsOf(club.db, [config.id]))(config.id)).toMatchObject({
      dataReceived: 9_000,
    });
    const restore = await club.as(anna).call("POST /vpn/configs/{id}/restore", { params: { id: config.id } });
    expect(restore.code).toBe("config.interface_gone");
    club.clock.advance(61_000);
    await club.app.parts.configs.purgePast();
    expect((await club.app.parts.configs.byIds(club.db, [config.id]))[0]).toMatchObject({
      sealed_private_key: null,
      address: "",
    });
  });

  test("while its machine is down, and leaves it when that is back", async () => {
    const made = await created();
    club.host.away = "no answer";
    expect((await remove(made.id)).status).toBe(204);
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.interfaces.has("wg1")).toBe(false);
  });

  test("and whoever had only it assigned gets the main server's again", async () => {
    const made = await created();
    const anna = await club.member();
    await club
      .as(admin)
      .call("POST /admin/servers/interfaces/assign", { body: { userId: anna.id, interfaceId: made.id } });
    expect((await club.as(anna).call("GET /vpn/available-interfaces")).body.map(({ id }) => id)).toEqual([made.id]);
    await remove(made.id);
    expect((await club.as(anna).call("GET /vpn/available-interfaces")).body.map(({ name }) => name)).toEqual([
      "Interface 1",
    ]);
  });

  test("no config is created on it meanwhile", async () => {
    const made = await created();
    const anna = await club.member({ configLimit: -1 });
    const wish = { ...(await configInput(club, anna)), interfaceId: made.id };
    const [gone, ...attempts] = await Promise.all([
      remove(made.id),
      ...["a", "b", "c"].map((name) => club.as(anna).call("POST /vpn/configs", { body: { ...wish, name } })),
    ]);
    const living = await configsOf(anna);
    if (gone.status === 204) expect(living).toEqual([]);
    else expect(living).toHaveLength(attempts.filter(({ status }) => status === 201).length);
  });
});

describe("assignment of an interface", () => {
  const assign = (who: Person, userId: string, interfaceId: string) =>
    club.as(who).call("POST /admin/servers/interfaces/assign", { body: { userId, interfaceId } });
  const assigned = (who: Person, id: string, query = {}) =>
    club.as(who).call("GET /admin/servers/interfaces/{id}/users", { params: { id }, query });

  test("decides what a member may choose, is listed both ways, and ends when taken back", async () => {
    const made = await created();
    const anna = await club.member({ username: "anna", row: { display_name: "Анна" } });
    expect((await assign(admin, "anna", made.id)).body).toEqual({
      userId: anna.id,
      username: "anna",
      displayName: "Анна",
    });
    expect((await assigned(admin, made.id)).body).toEqual([{ userId: anna.id, username: "anna", displayName: "Анна" }]);
    const ofMember = await club
      .as(admin)
      .call("GET /admin/servers/interfaces/user/{userId}", { params: { userId: "anna" } });
    expect(ofMember.body).toMatchObject([{ id: made.id, name: "Interface 2", assignedCount: 1 }]);
    expect((await history(anna.id))[0]).toMatchObject({
      action: "interface.assigned",
      after: { interface: "Этот сервер: Interface 2" },
    });
    const params = { userId: anna.id, interfaceId: made.id };
    const config = await makeConfig(anna, { interfaceId: made.id });
    await club.as(admin).call("DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}", { params });
    const open = await club.as(anna).call("GET /vpn/available-interfaces");
    expect(open.body, "all of the main server's again").toHaveLength(2);
    expect(await configsOf(anna), "what he has stays").toMatchObject([{ id: config.id, state: "applied" }]);
  });

  test("of nobody or to nothing is refused", async () => {
    const { id } = await first();
    expect((await assign(admin, "nobody", id)).code).toBe("member.not_found");
    expect((await assign(admin, moderator.id, moderator.id)).code).toBe("interface.not_found");
  });
});

describe("a moderator", () => {
  test("sees interfaces without VIP members' part", async () => {
    const vip = await club.member({ row: { is_vip: 1 } });
    await makeConfig(vip);
    await makeConfig(await club.member());
    const { id } = await first();
    for (const who of [vip, moderator])
      await club.as(admin).call("POST /admin/servers/interfaces/assign", { body: { userId: who.id, interfaceId: id } });
    expect(await listed()).toMatchObject([{ configCount: 2, peerCount: 2, assignedCount: 2 }]);
    expect(await listed(moderator)).toMatchObject([{ configCount: 1, peerCount: 1, assignedCount: 1 }]);
    const page = await club.as(moderator).call("GET /admin/servers/interfaces/{id}/users", { params: { id } });
    expect(page.body.map(({ userId }) => userId)).toEqual([moderator.id]);
    expect(page.headers.get("x-total-count")).toBe("1");
  });

  test("renames and assigns only once an admin has switched that on, and even then changes nothing else", async () => {
    const { id } = await first();
    const anna = await club.member();
    const vip = await club.member({ row: { is_vip: 1 } });
    const rename = (name: string) =>
      club.as(moderator).call("PUT /admin/servers/{serverId}/interfaces/{interfaceId}", {
        params: { serverId, interfaceId: id },
        body: { name },
      });
    const assign = (userId: string) =>
      club.as(moderator).call("POST /admin/servers/interfaces/assign", { body: { userId, interfaceId: id } });
    const rights = async () => (await club.as(moderator).call("GET /admin/rights")).body.actions;
    expect([(await rename("Семья")).code, (await assign(anna.id)).code]).toEqual(["auth.forbidden", "auth.forbidden"]);
    expect(await rights()).not.toContain("interfaces.rename");
    expect(await first()).toMatchObject({ name: "Interface 1", assignedCount: 0 });

    await switchOn();
    expect(await rights()).toEqual(expect.arrayContaining(["interfaces.rename", "interfaces.assign"]));
    expect((await rename("Семья")).body).toMatchObject({ name: "Семья" });
    expect((await assign(anna.id)).status).toBe(200);
    expect((await assign(vip.id)).code, "a VIP member is nobody's to see").toBe("member.not_found");
    const params = { serverId, id };
    const change = await club
      .as(moderator)
      .call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body: { mtu: 1400 } });
    expect(change.code).toBe("auth.forbidden");
    const own = (await club.as(admin).call("GET /admin/rights", { query: { as: "moderator" } })).body.actions;
    expect(own).toEqual(await rights());
  });
});
