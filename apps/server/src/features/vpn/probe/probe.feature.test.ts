import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { reason } from "@krug/domain/reasons";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { type Initiator, makeInitiator } from "@krug/wireguard/handshake";
import type { PrivateKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { startTunnelDouble } from "../../../../testing/tunnel-double.ts";
import { makeGreetByUdp } from "./greet.ts";

/** The time between two handshakes: this machine answers faster, even when busy. */
const SOON_MS = 500;
const MINUTE_MS = 60_000;
const NAME = "vpn.example.org";
let club: Club;
let admin: Person;
let stop: () => Promise<void>;
beforeEach(async () => {
  club = await startClub({ greet: makeGreetByUdp(SOON_MS) });
  admin = await club.admin();
  stop = async () => {};
});
afterEach(async () => {
  await stop();
  await club.stop();
});

const only = async () => {
  const [row] = await club.app.parts.interfaces.all(club.db);
  if (row === undefined) throw new Error("no interface");
  return row;
};
const keysOf = async () => {
  const { privateKey, publicKey } = club.app.parts.interfaces.desired(await only(), []);
  if (privateKey === null) throw new Error("its key does not open");
  return { privateKey, publicKey };
};
const privateKeyOfProbe = (interfaceId: string) =>
  Buffer.from(club.app.parts.sealing.hash("probe.private_key", interfaceId), "base64url").toString(
    "base64",
  ) as PrivateKey;
const probePeer = async () => club.app.parts.probe.peerOf(await only()).publicKey;
/** One of the club's interfaces, which really answers on this port. */
const answerOn = async (about: Partial<Parameters<typeof startTunnelDouble>[0]> = {}) => {
  const double = await startTunnelDouble({ keys: await keysOf(), peers: [await probePeer()], ...about });
  stop = double.stop;
  await listenOn(double.port);
  return double;
};
const listenOn = async (port: number) => {
  const { id } = await only();
  await club.transact((tx) => club.app.parts.interfaces.update(tx, id, { listen_port: port }));
};
/** Moves it to a server elsewhere, which devices reach by a name. */
const moveElsewhere = async (address: string | null = "127.0.0.1") => {
  const { servers } = club.app.parts;
  const [server] = await servers.all(club.db);
  const vps = club.remotes.rent("203.0.113.9");
  vps.keys.add((await servers.sshKey()).publicKey);
  const reached = {
    ssh_host: "203.0.113.9",
    ssh_port: 22,
    ssh_username: "root",
    host_key: vps.hostKey,
    is_prepared: 1,
  };
  await club.transact((tx) =>
    servers.update(tx, server?.id ?? "", { driver: "ssh", panel_id: null, endpoint: NAME, ...reached }),
  );
  club.names.known.set(NAME, address === null ? { v4: [], v6: [] } : { v4: [address], v6: [] });
};
const round = () => club.app.parts.probe.timed[0]?.run();
const lookAtServers = async () => {
  await club.app.lookAtServers();
  await club.settle();
};
const rows = async () => (await club.allRows()).get("probes") ?? [];
const told = async () => {
  const { body } = await club.as(admin).call("GET /admin/servers/interfaces");
  return body[0]?.probe;
};
/** A UDP port on which nobody listens. */
const closedPort = async () => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
};

describe("an interface that answers", () => {
  test("shows so with since when; the panel's own machine as probed from inside only", async () => {
    await answerOn();
    expect(await told()).toBeNull();
    await round();
    const since = club.clock.now().toISOString();
    expect(await told()).toEqual({ state: "answers", since, fromInside: true });
    club.clock.advance(12 * MINUTE_MS);
    await round();
    expect(await told()).toEqual({ state: "answers", since, fromInside: true });
  });

  test("elsewhere is probed where devices reach it, by name", async () => {
    await answerOn();
    await moveElsewhere();
    await round();
    expect(await told()).toMatchObject({ state: "answers", fromInside: false });
    await moveElsewhere(null);
    await round();
    expect(await told()).toMatchObject({ state: "unresolved", fromInside: false });
    club.names.away = true;
    await round();
    expect(await told()).toMatchObject({ state: "untried" });
  });

  test("counts as answering even if a datagram is lost", async () => {
    const double = await answerOn({ loses: 1 });
    await round();
    expect(await told()).toMatchObject({ state: "answers" });
    expect(double.heard.datagrams).toBe(2);
  });

  test("gets the proof of our address at once if it is busy", async () => {
    const { port, heard } = await answerOn({ isBusy: () => true });
    const { publicKey: interfaceKey } = await keysOf();
    const { id } = await only();
    const initiator = makeInitiator({ privateKey: privateKeyOfProbe(id), interfaceKey });
    const { signal } = new AbortController();
    expect(await makeGreetByUdp(MINUTE_MS)({ address: "127.0.0.1", port, initiator, signal })).toBe("answered");
    expect(heard.datagrams).toBe(2);
  });

  test("is probed in its own disguise if it has one, with everything sent before a handshake", async () => {
    const { parameters: profile } = generateProfile("3.1", "dns", randomInt);
    const { port, heard } = await answerOn({ profile, isBusy: () => true });
    const { publicKey: interfaceKey } = await keysOf();
    const keys = { privateKey: privateKeyOfProbe((await only()).id), interfaceKey };
    const { signal } = new AbortController();
    const greeted = (initiator: Initiator, everyMs: number) =>
      makeGreetByUdp(everyMs)({ address: "127.0.0.1", port, initiator, signal });
    expect(await greeted(makeInitiator({ ...keys, profile }), MINUTE_MS)).toBe("answered");
    // A packet of its own, junk and an initiation, twice: the second time with the proof of our address.
    expect(heard.datagrams).toBe(2 * (1 + Number(profile.jc) + 1));
    expect(await greeted(makeInitiator(keys), SOON_MS / 10)).toBe("silent");
  });

  test("accepts a restarted panel's handshake, even if its clock was years ahead before", async () => {
    await answerOn();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 365 * 24 * 60 * MINUTE_MS });
    try {
      await round();
    } finally {
      vi.useRealTimers();
    }
    await club.restart();
    await round();
    expect(await told()).toMatchObject({ state: "answers" });
  });

  test("costs one write in five minutes while nothing changes", async () => {
    await answerOn();
    await round();
    const [first] = await rows();
    club.clock.advance(4 * MINUTE_MS);
    await round();
    expect(await rows()).toEqual([first]);
    club.clock.advance(MINUTE_MS);
    await round();
    expect(await rows()).toEqual([
      { ...first, checked_at: club.clock.now().getTime(), greeted_at: expect.any(Number) },
    ]);
  });
});

describe("an AmneziaWG interface", () => {
  /** Replaces the plain one, so that the round probes only this one. */
  const hide = async () => {
    const plain = await only();
    await club.as(admin).send("POST", `/api/admin/servers/${plain.server_id}/create-interface`, {
      amneziawg: { preset: "dns" },
    });
    await club.transact((tx) => club.app.parts.interfaces.update(tx, plain.id, { deleted_at: 1 }));
  };
  const profile = async () => club.app.parts.interfaces.profileOf(await only())?.parameters ?? {};

  test("is probed with its own parameters, and ignores plain handshakes", async () => {
    await hide();
    await answerOn({ profile: await profile() });
    await round();
    expect(await told()).toMatchObject({ state: "answers" });
    await stop();
    await answerOn();
    club.clock.advance(MINUTE_MS);
    await round();
    expect(await told()).not.toMatchObject({ state: "answers" });
  });

  test("is probed again once its parameters have changed", async () => {
    await hide();
    await answerOn({ profile: await profile() });
    await round();
    await stop();
    const { id, server_id } = await only();
    const { status } = await club
      .as(admin)
      .send("PUT", `/api/admin/wireguard/${server_id}/interfaces/${id}`, { amneziawg: { H1: "77" } });
    expect(status).toBe(200);
    await answerOn({ profile: await profile() });
    club.clock.advance(MINUTE_MS);
    await round();
    expect(await told()).toMatchObject({ state: "answers" });
  });
});

describe("an interface that does not answer", () => {
  test("while the server says that it runs: its port is closed, since when, until it answers", async () => {
    const deaf = await answerOn({ peers: [] });
    await lookAtServers();
    await round();
    const since = club.clock.now().toISOString();
    expect(await told()).toEqual({ state: "closed", since, fromInside: true });
    expect(deaf.heard.datagrams).toBe(3);
    await deaf.stop();
    await answerOn();
    club.clock.advance(MINUTE_MS);
    await round();
    expect(await told()).toMatchObject({ state: "answers", since: club.clock.now().toISOString() });
  });

  test("does not run if the machine refuses, and is unknown if the server is down", async () => {
    await listenOn(await closedPort());
    await round();
    expect(await told()).toMatchObject({ state: "not_running" });
    await answerOn({ peers: [] });
    club.host.away = "no answer";
    await lookAtServers();
    await round();
    expect(await told()).toMatchObject({ state: "away" });
  });

  test("does not run if the server could not bring it up", async () => {
    await answerOn({ peers: [] });
    await lookAtServers();
    const { id } = await only();
    await club.transact((tx) =>
      club.app.parts.interfaces.update(tx, id, { conflict: reason("interface.port_busy_unseen", { port: 51_820 }) }),
    );
    await round();
    expect(await told()).toMatchObject({ state: "not_running" });
  });
});

test("a result is dropped once it is old, of another port, or of an interface that is off", async () => {
  await answerOn();
  await round();
  const { id, listen_port: port } = await only();
  await listenOn(port + 1);
  expect(await told()).toBeNull();
  await listenOn(port);
  expect(await told()).not.toBeNull();
  await club.transact((tx) => club.app.parts.interfaces.update(tx, id, { is_active: 0 }));
  expect(await told()).toBeNull();
  await club.transact((tx) => club.app.parts.interfaces.update(tx, id, { is_active: 1 }));
  club.clock.advance(16 * MINUTE_MS);
  expect(await told()).toBeNull();
  await club.app.parts.probe.forgetOld();
  expect(await rows()).toHaveLength(1);
  club.clock.advance(24 * 60 * MINUTE_MS);
  await club.app.parts.probe.forgetOld();
  expect(await rows()).toEqual([]);
});

describe("the panel's own peer", () => {
  test("is on every interface without an address, and no reading removes or re-adds it", async () => {
    const own = club.host.interfaces.get("wg0")?.peers.find(({ allowedIps }) => allowedIps.length === 0);
    expect(own).toMatchObject({ publicKey: await probePeer(), presharedKey: null, allowedIps: [] });
    await club.as(admin).call("POST /admin/servers/{serverId}/create-interface", {
      params: { serverId: (await only()).server_id },
    });
    await lookAtServers();
    const keys = [...club.host.interfaces.values()].flatMap(({ peers }) => peers.map(({ publicKey }) => publicKey));
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
  });

  test("is not counted: not as a device, not as online, not as traffic", async () => {
    const boris = await club.member();
    await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
    const [own] = club.host.interfaces.get("wg0")?.peers.filter(({ allowedIps }) => allowedIps.length === 0) ?? [];
    Object.assign(own ?? {}, { rxBytes: 148_000, txBytes: 92_000, lastHandshakeAt: club.clock.now().getTime() });
    await club.app.parts.reconciler.readAll();
    await lookAtServers();
    const [row] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    expect(row).toMatchObject({ configCount: 1, peerCount: 1 });
    const written = [...(await club.allRows())].filter(([, rows]) => JSON.stringify(rows).includes("148000"));
    expect(written.map(([table]) => table)).toEqual([]);
    const [card] = (await club.as(boris).call("GET /vpn/configs")).body;
    expect(card?.wireguardClient).toMatchObject({ last_handshake: null, data_received: 0 });
  });

  test("has the same key on every panel of the club, and its private key is stored nowhere", async () => {
    const before = await probePeer();
    await club.restart();
    expect(await probePeer()).toBe(before);
    const { id } = await only();
    const secret = privateKeyOfProbe(id);
    expect(publicKeyOf(secret)).toBe(before);
    expect(JSON.stringify([...(await club.allRows())])).not.toContain(secret);
  });
});

describe("a member whose device does not work", () => {
  let boris: Person;
  let id: string;
  beforeEach(async () => {
    boris = await club.member();
    ({ id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body);
    await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } });
    await lookAtServers();
  });
  const diagnosis = async () =>
    (await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id }, query: {} })).body;

  test("sees that it is not their device if the interface does not answer, unless they are connected", async () => {
    expect(await diagnosis()).toMatchObject({ cause: "never_connected", tunnel: null });
    await listenOn(await closedPort());
    await round();
    const since = club.clock.now().toISOString();
    expect(await diagnosis()).toMatchObject({ cause: "tunnel_down", tunnel: { state: "not_running", since } });
    club.host.use(club.host.peers()[0]?.publicKey ?? "", { rx: 90_000, tx: 4_000_000 }, club.clock.now().getTime());
    club.clock.advance(3_000);
    expect((await diagnosis()).cause).toBe("all_well");
  });

  test("sees that the interface answers", async () => {
    await answerOn();
    await round();
    expect(await diagnosis()).toMatchObject({
      cause: "never_connected",
      tunnel: { state: "answers", fromInside: true },
    });
  });

  test("sees that their network seems to block this kind of tunnel, once the panel got through from outside for a while", async () => {
    await moveElsewhere();
    await answerOn();
    await round();
    expect(await diagnosis()).toMatchObject({
      cause: "never_connected",
      tunnel: { state: "answers", fromInside: false },
    });
    club.clock.advance(15 * MINUTE_MS);
    await round();
    expect((await diagnosis()).cause).toBe("tunnel_blocked");
    // It is no longer known whether anyone gets through.
    club.clock.advance(16 * MINUTE_MS);
    expect(await diagnosis()).toMatchObject({ cause: "never_connected", tunnel: null });
  });

  test("sees nothing of a block if the panel probed the interface only from its own machine", async () => {
    await answerOn();
    await round();
    club.clock.advance(15 * MINUTE_MS);
    await round();
    expect(await diagnosis()).toMatchObject({ cause: "never_connected", tunnel: { state: "answers" } });
  });

  test("sees it there too while another's device gets through", async () => {
    const before = club.host.peers().map(({ publicKey }) => publicKey);
    const anna = await club.member();
    await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna) });
    const key = club.host.peers().find(({ publicKey }) => !before.includes(publicKey))?.publicKey ?? "";
    await answerOn();
    await round();
    club.clock.advance(15 * MINUTE_MS);
    await round();
    club.host.use(key, { rx: 90_000, tx: 4_000_000 }, club.clock.now().getTime());
    await lookAtServers();
    expect(await diagnosis()).toMatchObject({ cause: "tunnel_blocked", tunnel: { fromInside: true } });
    club.clock.advance(6 * MINUTE_MS);
    await round();
    expect((await diagnosis()).cause, "what was minutes ago says nothing of now").toBe("never_connected");
  });
});

test("a panel that stops waits for no answer, and records nothing", async () => {
  await club.stop();
  // Waits longer for an answer than any test may take.
  club = await startClub({ greet: makeGreetByUdp(10 * MINUTE_MS) });
  await answerOn({ peers: [] });
  const running = round();
  await club.app.parts.probe.stop();
  await running;
  expect((await sql<{ n: number }>`select count(*) as n from probes`.execute(club.db)).rows[0]?.n).toBe(0);
});
