import { reason } from "@krug/domain/reasons";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import type { FakeHost } from "../../../../testing/fake-host.ts";
import type { FakeVps } from "../../../../testing/fake-remotes.ts";
import { listen } from "../../../../testing/listen.ts";
import { connectBeside } from "../../../../testing/postgres-plans.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { SshFailure } from "../../../hosts/remote.ts";
import { OLDER_LINE_NAMES } from "../../../platform/database/postgres-line.ts";

const [HELSINKI_AT, RIGA_AT] = ["203.0.113.9", "203.0.113.19"];

let club: Club;
let admin: Person;
let anna: Person;
let helsinki: { id: string; vps: FakeVps };
let riga: { id: string; vps: FakeVps };
let place: { serverId: string; id: string };
let video: string;
let device: { id: string; address: string };
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member({ username: "anna" });
  helsinki = await rent("Хельсинки", HELSINKI_AT);
  riga = await rent("Рига", RIGA_AT);
  const tunnels = (await club.as(admin).call("GET /admin/servers/interfaces", { query: {} })).body;
  const tunnel = tunnels.find(({ serverId }) => ![helsinki.id, riga.id].includes(serverId));
  place = { serverId: tunnel?.serverId ?? "", id: tunnel?.id ?? "" };
  const made = await club.as(admin).call("POST /services", { body: { name: "Video", ips: ["203.0.113.0/24"] } });
  video = made.body.id;
  const config = await club
    .as(anna)
    .call("POST /vpn/configs", { body: await configInput(club, anna, { services: [video] }) });
  const [row] = await club.app.parts.configs.byIds(club.db, [config.body.id]);
  device = { id: config.body.id, address: row?.address ?? "" };
});
afterEach(() => club.stop());

const rent = async (name: string, at: string) => {
  const vps = club.remotes.rent(at);
  const credentials = { host: at, port: 22, username: "root", password: "right" };
  const { body } = await club.as(admin).send("POST", "/api/admin/servers", { name, credentials });
  const { id } = body as { id: string };
  for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const)
    await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id } });
  return { id, vps };
};
const change = (body: {
  routing?: "device" | "server";
  restExit?: string;
  exitDown?: string;
  exitLink?: "wireguard" | "amneziawg";
}) => club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: place, body });
const leaveBy = (exit: string) => club.as(admin).call("PUT /services/{id}", { params: { id: video }, body: { exit } });
const exits = async () => (await club.as(admin).call("GET /admin/exits")).body;
const card = async () => (await club.as(anna).call("GET /vpn/configs", { query: {} })).body[0];
/** Where anna's service and the rest leave, as the entry's machine has it. */
const leaves = () =>
  (club.host.access.routing?.rules ?? []).flatMap(({ onlyDns, networks, exit }) =>
    onlyDns ? [] : [[networks === null ? "rest" : "video", exit]],
  );
const peerOf = (host: FakeHost, name: string) => host.interfaces.get(name)?.peers[0];
/** The exit has sent something, and the panel looks. */
const hears = async (name = "exit2") => {
  await club.app.parts.exits.timed[1]?.run();
  const peer = peerOf(club.host, name);
  if (peer) peer.rxBytes += 32;
  await club.app.parts.exits.timed[1]?.run();
  await club.settle();
};
const silent = async () => {
  await club.app.parts.exits.timed[1]?.run();
  club.clock.advance(31_000);
  await club.app.parts.exits.timed[1]?.run();
  await club.settle();
};

describe("a service that leaves by another server", () => {
  test("gets a link between both machines, and leaves by it", async () => {
    await change({ routing: "server" });
    expect((await leaveBy(helsinki.id)).body.exit).toBe(helsinki.id);
    await club.settle();
    expect((await exits()).links).toMatchObject([
      { entryId: place.serverId, exitId: helsinki.id, exitName: "Хельсинки", state: "making", problems: [] },
    ]);
    const exit = helsinki.vps.host.interfaces.get("entry2");
    const entry = club.host.interfaces.get("exit2");
    expect(peerOf(club.host, "exit2")).toMatchObject({
      publicKey: exit?.publicKey,
      allowedIps: ["0.0.0.0/0", "::/0"],
      hasEndpoint: true,
      persistentKeepalive: 10,
    });
    expect(peerOf(helsinki.vps.host, "entry2")).toMatchObject({
      publicKey: entry?.publicKey,
      allowedIps: ["198.18.0.10/32"],
    });
    expect(helsinki.vps.host.access.decided).toEqual(["entry2"]);
    expect(club.host.access.routing?.links).toEqual([
      { number: 2, name: "exit2", mtu: null, addresses: ["198.18.0.10"] },
    ]);
    expect(leaves()).toEqual([
      ["video", 2],
      ["rest", "direct"],
    ]);
    await hears();
    expect((await exits()).links).toMatchObject([{ state: "up", downSince: null }]);
  });

  test("the link goes when nothing names it any more", async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    expect([...club.host.interfaces.keys()]).toContain("exit2");
    await change({ restExit: "direct" });
    await club.settle();
    expect((await exits()).links).toEqual([]);
    expect([[...club.host.interfaces.keys()], [...helsinki.vps.host.interfaces.keys()]].flat()).not.toContain("exit2");
    expect([...helsinki.vps.host.interfaces.keys()]).not.toContain("entry2");
  });

  test("a restored panel that does not know a newer key makes a second link", async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    const [server] = (await club.app.parts.servers.all(club.db)).filter(({ id }) => id === place.serverId);
    const foreign = reason("interface.foreign_key", { name: "exit2" });
    await club.transact((tx) =>
      club.app.parts.exits.noteConflicts(tx, server!, (name) => (name === "exit2" ? foreign : null)),
    );
    expect((await exits()).links).toMatchObject([{ problems: [{ why: { code: "interface.foreign_key" } }] }]);
    await club.app.parts.exits.settle();
    await club.settle();
    expect([...club.host.interfaces.keys()]).toContain("exit3");
    expect((await exits()).links).toMatchObject([{ exitId: helsinki.id, problems: [] }]);
  });

  test("keys are replaced after 30 days, and at once when the exit has moved", async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    const keys = () => [
      club.host.interfaces.get("exit2")?.publicKey,
      helsinki.vps.host.interfaces.get("entry2")?.publicKey,
    ];
    const settle = async () => {
      await club.app.parts.exits.settle();
      await club.settle();
    };
    const first = keys();
    await settle();
    expect(keys()).toEqual(first);
    const moved = { params: { id: helsinki.id }, body: { endpoint: "203.0.113.77" } };
    await club.as(admin).call("PUT /admin/servers/{id}", moved);
    await club.settle();
    const second = keys();
    for (const key of first) expect(second).not.toContain(key);
    club.clock.advance(30 * 86_400_000);
    await settle();
    for (const key of second) expect(keys()).not.toContain(key);
  });
});

describe("links as AmneziaWG", () => {
  const ends = () => [club.host.interfaces.get("exit2"), helsinki.vps.host.interfaces.get("entry2")];
  beforeEach(async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
  });

  test("have other keys than before and a disguise that both ends share, which changes with the keys, and can be WireGuard again", async () => {
    const plain = ends();
    expect((await change({ exitLink: "amneziawg" })).body.exitLink).toBe("amneziawg");
    await club.settle();
    const [entry, exit] = ends();
    expect([entry?.type, exit?.type]).toEqual(["amneziawg", "amneziawg"]);
    expect(entry?.parameters).toEqual(exit?.parameters);
    expect(entry?.parameters).toMatchObject({ h1: expect.stringContaining("-"), i1: expect.any(String) });
    expect(entry?.publicKey).not.toBe(plain[0]?.publicKey);
    // Its padding is on every packet.
    const mtu = club.host.access.routing?.links?.[0]?.mtu ?? 0;
    expect(mtu).toBe(1_420 - Number(entry?.parameters?.s4));
    const first = entry?.parameters;
    await change({ exitLink: "wireguard" });
    await club.settle();
    expect(ends().map((end) => [end?.type, end?.parameters ?? {}])).toEqual([
      ["wireguard", {}],
      ["wireguard", {}],
    ]);
    await change({ exitLink: "amneziawg" });
    await club.settle();
    const second = ends()[0]?.parameters;
    expect(second).not.toEqual(first);
    club.clock.advance(30 * 86_400_000);
    await club.app.parts.exits.settle();
    await club.settle();
    expect(ends()[0]?.parameters).not.toEqual(second);
  });

  test("are refused while a machine at either end cannot have it, by name, and nothing changes", async () => {
    helsinki.vps.host.amneziawg = { lacks: reason("engine.none", { name: "AmneziaWG" }), module: null };
    expect(await change({ exitLink: "amneziawg" })).toMatchObject({
      status: 409,
      code: "exit.cannot_disguise",
      body: { error: { details: { name: "Хельсинки" } } },
    });
    await club.settle();
    expect(ends()[0]?.type ?? "wireguard").toBe("wireguard");
  });
});

describe("while the exit does not answer", () => {
  beforeEach(async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    await hears();
  });

  test("it is waited for, and the card says so", async () => {
    expect(await card()).toMatchObject({ exitsDown: [] });
    await silent();
    expect(leaves()).toEqual([
      ["video", "direct"],
      ["rest", 2],
    ]);
    expect(await card()).toMatchObject({ exitsDown: [{ server: "Хельсинки", instead: "wait", other: null }] });
    await hears();
    expect(await card()).toMatchObject({ exitsDown: [] });
  });

  test("open pages of its members and of staff hear of it", async () => {
    const [own, staff] = await Promise.all(
      [anna, admin].map(({ token }) => listen(`${club.origin}/api/events`, { token })),
    );
    await silent();
    expect((await own?.next())?.data).toEqual({ topic: "configs" });
    expect((await staff?.next())?.data).toEqual({ topic: "clubServers" });
    own?.leave();
    staff?.leave();
  });

  test("or traffic leaves straight, or by a third server, as the interface says", async () => {
    await change({ exitDown: "direct" });
    await silent();
    expect(leaves().at(-1)).toEqual(["rest", "direct"]);
    expect(await card()).toMatchObject({ exitsDown: [{ instead: "direct" }] });
    await change({ exitDown: riga.id });
    await club.settle();
    // The third one does not answer yet either.
    expect(leaves().at(-1)).toEqual(["rest", 2]);
    await hears("exit3");
    expect(leaves().at(-1)).toEqual(["rest", 3]);
    expect(await card()).toMatchObject({ exitsDown: [{ server: "Хельсинки", instead: "other", other: "Рига" }] });
    await hears();
    expect(leaves().at(-1)).toEqual(["rest", 2]);
  });

  test("'would X reach Y' names the exit", async () => {
    const check = async () =>
      (await club.as(admin).call("GET /admin/rules/check", { query: { userId: anna.id, target: "198.51.100.1" } }))
        .body;
    expect((await check()).exits).toMatchObject([
      { exit: "server", server: "Хельсинки", downSince: null, service: null },
    ]);
    await silent();
    expect(await check()).toMatchObject({
      verdict: "closed",
      places: [{ open: false, by: "exit_down" }],
      exits: [{ server: "Хельсинки", downSince: expect.any(String), instead: "wait" }],
    });
    await change({ exitDown: "direct" });
    expect(await check()).toMatchObject({ verdict: "reaches", exits: [{ instead: "direct" }] });
    const { body } = await club
      .as(anna)
      .call("GET /vpn/configs/{id}/diagnosis", { params: { id: device.id }, query: {} });
    expect(body).toMatchObject({
      restExit: "server",
      restExitServer: "Хельсинки",
      exits: [{ server: "Хельсинки", link: "down", services: [] }],
    });
    await leaveBy(helsinki.id);
    const again = await club.as(anna).call("GET /vpn/configs/{id}/diagnosis", { params: { id: device.id }, query: {} });
    expect(again.body.exits).toEqual([{ server: "Хельсинки", link: "down", services: ["Video"] }]);
  });

  test("'Не работает?' names it as the cause, with what the interface does meanwhile", async () => {
    const params = { id: device.id };
    const cause = async () => {
      const own = club.host
        .peers()
        .find(({ allowedIps }) => allowedIps.some((each) => each.startsWith(`${device.address}/`)));
      club.host.use(own?.publicKey ?? "", { rx: 500, tx: 900 }, club.clock.now().getTime());
      club.clock.advance(3_000);
      return (await club.as(anna).call("GET /vpn/configs/{id}/diagnosis", { params, query: {} })).body.cause;
    };
    await club.as(anna).call("GET /vpn/configs/{id}/download", { params });
    expect(await cause()).toBe("no_dns");
    await silent();
    expect(await cause()).toBe("exit_waits");
    await change({ exitDown: "direct" });
    expect(await cause()).toBe("exit_direct");
    await change({ exitDown: riga.id });
    await club.settle();
    await hears("exit3");
    expect(await cause()).toBe("exit_other");
    await hears();
    expect(await cause()).toBe("no_dns");
  });
});

describe("a link that never carried anything", () => {
  const check = async () => {
    const query = { userId: anna.id, target: "198.51.100.1" };
    return (await club.as(admin).call("GET /admin/rules/check", { query })).body.exits[0];
  };

  test("is being made, which is not the same as down", async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    expect(await card()).toMatchObject({ exitsDown: [{ server: "Хельсинки", since: null, instead: "wait" }] });
    expect(await check()).toMatchObject({ server: "Хельсинки", link: "making", downSince: null });
    await hears();
    expect(await check()).toMatchObject({ link: "up" });
    await silent();
    expect(await check()).toMatchObject({ link: "down", downSince: expect.any(String) });
  });

  test("is missing while the exit has no address, and staff see what it lacks", async () => {
    await club.as(admin).call("PUT /admin/servers/{id}", {
      params: { id: helsinki.id },
      body: { endpoint: "nowhere.example" },
    });
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    expect(await check()).toMatchObject({ link: "missing", downSince: null });
    expect(await card()).toMatchObject({ exitsDown: [{ server: "Хельсинки", since: null }] });
    expect((await exits()).links).toMatchObject([
      { state: "missing", port: null, problems: [{ server: "Хельсинки", why: { code: "exit.unresolved" } }] },
    ]);
  });
});

test("an exit that answers and has no internet is stuck: traffic leaves as for one that is down, and staff are notified why", async () => {
  await change({ routing: "server", restExit: helsinki.id, exitDown: "direct" });
  await club.settle();
  await hears();
  const echo = async (isBack: boolean | null) => {
    club.host.echoing = isBack;
    await club.app.parts.exits.timed[2]?.run();
    await club.settle();
    return leaves().at(-1)?.[1];
  };
  const state = async () => (await exits()).links[0]?.state;
  // Nobody's echoes come back there, or nobody can tell.
  expect([await echo(false), await echo(false), await echo(null), await state()]).toEqual([2, 2, 2, "up"]);
  expect([await echo(true), await echo(false), await echo(null), await state()]).toEqual([2, 2, 2, "up"]);
  expect([await echo(false), await state()]).toEqual(["direct", "stuck"]);
  club.clock.advance(2 * 60_000);
  await hears();
  const [told] = (await club.as(admin).call("GET /inbox", { query: {} })).body;
  expect(told).toMatchObject({ kind: "exit_gone", params: { exit: "Хельсинки", because: "stuck" } });
  expect([await echo(true), await state()]).toEqual([2, "up"]);
});

describe("staff", () => {
  const told = async () =>
    (await club.as(admin).call("GET /inbox", { query: {} })).body
      .filter(({ kind }) => kind.startsWith("exit_"))
      .map(({ kind }) => kind);
  const gone = async () => (await club.as(admin).call("GET /admin/alarms", { query: {} })).body.exits;
  const watch = async () => {
    await club.app.parts.exits.timed[1]?.run();
    await club.settle();
  };
  beforeEach(async () => {
    await change({ routing: "server", restExit: helsinki.id });
    await club.settle();
    await hears();
    await silent();
  });

  test("are notified once of an exit that stays down, and once it is back", async () => {
    expect([await told(), await gone()]).toEqual([[], []]);
    club.clock.advance(2 * 60_000);
    await watch();
    await watch();
    expect(await told()).toEqual(["exit_gone"]);
    expect(await gone()).toMatchObject([{ name: "Этот сервер → Хельсинки", since: expect.any(String) }]);
    club.clock.advance(1_000);
    await hears();
    await watch();
    expect(await told()).toEqual(["exit_back", "exit_gone"]);
    expect(await gone()).toEqual([]);
  });

  test("get no notice of the exit while they have one that its server is away", async () => {
    helsinki.vps.away = new SshFailure("silent");
    helsinki.vps.host.away = "no answer";
    club.clock.advance(2 * 60_000);
    await club.app.lookAtServers();
    await club.settle();
    await watch();
    expect(await told()).toEqual([]);
  });
});

test("'would X reach Y' goes by names below those of a service where the server resolves them", async () => {
  club.names.known.set("video.example", { v4: ["203.0.113.40"], v6: [] });
  club.names.known.set("www.video.example", { v4: ["198.51.100.7"], v6: [] });
  await change({ routing: "server" });
  await club.as(admin).call("PUT /services/{id}", {
    params: { id: video },
    body: { sources: ["video.example"], exit: helsinki.id },
  });
  const deciding = async (target: string) =>
    (await club.as(admin).call("GET /admin/rules/check", { query: { userId: anna.id, target } })).body.exits.map(
      ({ service, server }) => `${service} ${server}`,
    );
  expect(await deciding("www.video.example")).toEqual(["Video Хельсинки"]);
  expect(await deciding("198.51.100.7")).toEqual(["null null"]);
  const [entry] = (await club.app.parts.servers.all(club.db)).filter(({ id }) => id === place.serverId);
  await club.settle();
  club.host.namesFailure = reason("names.failed"); // what a round would note once more
  await club.app.parts.servers.noteNames(entry!, club.host.namesFailure);
  expect(await deciding("www.video.example")).toEqual(["null null"]);
});

describe("what staff choose", () => {
  test("is a server that can be an exit, and the audit names it", async () => {
    expect((await leaveBy(crypto.randomUUID())).code).toBe("exit.not_found");
    expect((await change({ exitDown: "closed" })).code).toBe("exit.not_found");
    helsinki.vps.host.inspect = async () => ({
      backend: "netstack",
      missing: [],
      install: null,
      amneziawg: { lacks: null, module: null },
      machine: null,
    });
    expect(await leaveBy(helsinki.id)).toMatchObject({ status: 409, code: "exit.cannot_route" });
    await change({ routing: "server", restExit: riga.id });
    expect(await auditOf(club, place.id)).toMatchObject([{ after: { rest_exit: "Рига" } }]);
  });

  test("nothing is routed while a panel that cannot is running; SQLite has one panel", async () => {
    const { databaseUrl } = club.config;
    if (databaseUrl !== null) {
      const older = await connectBeside(databaseUrl);
      await older.query(`set application_name to '${OLDER_LINE_NAMES[0]}'`);
      expect(await change({ routing: "server" })).toMatchObject({ status: 409, code: "interface.cannot_route" });
      await older.end();
    }
    // PostgreSQL lists a closed connection for a moment.
    await vi.waitFor(async () => expect((await change({ routing: "server" })).code).toBeUndefined(), 10_000);
  });

  test("a server by which others leave is not deleted without saying so", async () => {
    await leaveBy(helsinki.id);
    const servers = (await club.as(admin).call("GET /admin/servers")).body;
    expect(servers.find(({ id }) => id === helsinki.id)?.whyNotDeleted).toBe("server.is_exit");
    const refused = await club.as(admin).call("DELETE /admin/servers/{id}", { params: { id: helsinki.id } });
    expect(refused).toMatchObject({ status: 409, code: "server.is_exit" });
    await leaveBy("direct");
    expect(
      (await club.as(admin).call("DELETE /admin/servers/{id}", { params: { id: helsinki.id } })).code,
    ).toBeUndefined();
  });
});
