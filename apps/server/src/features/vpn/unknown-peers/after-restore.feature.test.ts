import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { expect, onTestFinished, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { emptyDatabase } from "../../../../testing/test-database.ts";
import { backup } from "../../../backup.ts";
import { lookAtServers } from "../../../check/servers.ts";
import { checkWords } from "../../../check/words.ts";
import { SshFailure } from "../../../hosts/remote.ts";
import { writeWhole } from "../../../platform/archive/whole-file.ts";
import { restore } from "../../../restore.ts";
import { newToken } from "../../club/fencing/index.ts";

// A key is tried much faster than a passphrase.
const IDENTITY = await generateIdentity();
const RECIPIENT = await identityToRecipient(IDENTITY);
const AT = "203.0.113.9";

async function aClub() {
  const club = await startClub();
  onTestFinished(() => club.stop());
  return { club, admin: await club.admin(), anna: await club.member(), boris: await club.member() };
}

function aFolder(): string {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-restored-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function backupOf(club: Club): Promise<string> {
  const path = join(aFolder(), "club.age");
  await writeWhole(
    await backup(club.config, { lock: { recipient: RECIPIENT }, now: club.clock.now(), version: "1.2.3" }),
    path,
  );
  return path;
}

/** Restores into an empty place of the same engine; the panel there is not started yet. */
async function restored(club: Club, path: string) {
  const { databaseUrl, drop } = await emptyDatabase(club.config.databaseUrl === null ? "sqlite" : "postgres");
  onTestFinished(drop);
  const dataDir = join(aFolder(), "data");
  const place = { dataDir, databaseUrl, masterKeyFile: join(dataDir, "master.key") };
  await restore(place, path, { identities: [IDENTITY] }, club.clock.now());
  return place;
}

async function panelFrom(club: Club, path: string) {
  const panel = await club.panelAt(await restored(club, path), club.host);
  onTestFinished(() => panel.stop());
  return panel;
}

type Panel = Awaited<ReturnType<typeof panelFrom>>;

const make = async (club: Club, owner: Person, name: string) => {
  const made = await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) });
  expect(made.status).toBe(201);
  return made.body;
};
const wireOf = (club: Club) => structuredClone([...club.host.interfaces.values()].flatMap(({ peers }) => peers));
const devicesOf = (club: Club) => club.host.devicesOn("wg0").map(({ allowedIps }) => allowedIps.join());
const look = async (panel: Panel | Club) => {
  await panel.app.lookAtServers();
  await panel.app.jobs.drain();
};
const byHand = (club: Club, address: string) => {
  const publicKey = generateKeyPair().publicKey;
  club.host.interfaces.get("wg0")?.peers.push({
    publicKey,
    presharedKey: null,
    allowedIps: [`${address}/32`],
    hasEndpoint: false,
    lastHandshakeAt: null,
    rxBytes: 0,
    txBytes: 0,
    persistentKeepalive: null,
  });
  return publicKey;
};

test("devices that the backup does not know stay as they are, are notified once, and keep their addresses", async () => {
  const { club, admin, anna, boris } = await aClub();
  await make(club, anna, "laptop");
  const path = await backupOf(club);
  await make(club, boris, "later");
  await make(club, boris, "last");
  club.host.use(club.host.devicesOn("wg0")[2]!.publicKey, { rx: 700, tx: 900 }, club.clock.now().getTime() - 4_000);
  const before = wireOf(club);
  expect(before).toHaveLength(4);
  await club.app.jobs.stop();

  const panel = await panelFrom(club, path);
  expect(wireOf(club)).toEqual(before);
  const staff = await panel.enter(admin);
  const { total, peers } = (await staff.call("GET /admin/unknown-peers")).body;
  expect(total).toBe(2);
  expect(peers).toMatchObject([
    { address: "10.8.0.3", interface: { name: "Interface 1" }, server: { name: "Этот сервер" }, rival: null },
    { address: "10.8.0.4", received: 900, sent: 700, lastHandshakeAt: "2026-11-21T08:59:56.000Z" },
  ]);
  expect(peers[1]?.publicKey).toBe(club.host.devicesOn("wg0")[2]!.publicKey.slice(0, 8));
  const told = (await staff.call("GET /inbox")).body.filter(({ kind }) => kind === "unknown_peers");
  expect(told).toMatchObject([{ params: { interface: "Interface 1", server: "Этот сервер", count: 2 } }]);
  // Another round: no change, and a peer that somebody adds by hand is removed as usual.
  byHand(club, "10.8.0.77");
  await look(panel);
  expect(wireOf(club)).toEqual(before);
  expect((await staff.call("GET /inbox")).body.filter(({ kind }) => kind === "unknown_peers")).toHaveLength(1);
  // A new device gets none of their addresses.
  const visitor = await panel.enter(anna);
  const wish = await configInput(club, anna, { name: "phone" });
  expect((await visitor.call("POST /vpn/configs", { body: wish })).status).toBe(201);
  expect(devicesOf(club)).toEqual(["10.8.0.2/32", "10.8.0.3/32", "10.8.0.4/32", "10.8.0.5/32"]);
});

test.each([
  ["the greatest number of 64 bits", 2 ** 64, Number.MAX_SAFE_INTEGER - 991],
  ["more than a number holds exactly", 2 ** 53 + 2, Date.parse("2126-01-01")],
  ["half a byte", 0.5, Date.parse("2026-11-21")],
])("a server's reading of %s for an unknown device is not shown, and it can be kept", async (_, bytes, at) => {
  const { club, admin, anna, boris } = await aClub();
  const path = await backupOf(club);
  await make(club, boris, "later");
  const [device] = club.host.devicesOn("wg0");
  club.host.use(device!.publicKey, { rx: bytes, tx: bytes }, at);
  await club.app.jobs.stop();
  const panel = await panelFrom(club, path);
  const staff = await panel.enter(admin);
  const { status, body } = await staff.call("GET /admin/unknown-peers");
  expect(status).toBe(200);
  expect(body.peers).toMatchObject([{ received: null, sent: null, lastHandshakeAt: null }]);
  const kept = await staff.call("POST /admin/unknown-peers/{id}/take-in", {
    params: { id: body.peers[0]!.id },
    body: { userId: anna.id, name: "kept", deviceType: "phone" },
  });
  expect(kept.status).toBe(204);
  const [config] = (await (await panel.enter(anna)).call("GET /vpn/configs")).body;
  expect(config).toMatchObject({ name: "kept", stats: { dataReceived: 0, dataSent: 0 } });
});

test("one that is kept becomes its member's with key and address, and its usage counts from then on", async () => {
  const { club, admin, anna, boris } = await aClub();
  const path = await backupOf(club);
  await make(club, boris, "later");
  const [device] = club.host.devicesOn("wg0");
  club.host.use(device!.publicKey, { rx: 700, tx: 900 }, club.clock.now().getTime());
  await club.app.jobs.stop();
  const panel = await panelFrom(club, path);
  const before = wireOf(club);
  const staff = await panel.enter(admin);
  const [unknown] = (await staff.call("GET /admin/unknown-peers")).body.peers;
  const keep = (userId: string, name = "kept") =>
    staff.call("POST /admin/unknown-peers/{id}/take-in", {
      params: { id: unknown!.id },
      body: { userId, name, deviceType: "phone" },
    });
  expect((await keep(randomUUID())).code).toBe("member.not_found");
  expect((await keep(anna.id, "с пробелом?")).code).toBe("config.name_invalid");
  expect((await keep(anna.id)).status).toBe(204);
  expect((await keep(anna.id)).code).toBe("unknown_peer.not_found");
  expect(wireOf(club)).toEqual(before);
  const own = await panel.enter(anna);
  const [config] = (await own.call("GET /vpn/configs")).body;
  expect(config).toMatchObject({ name: "kept", state: "applied", deviceType: "phone" });
  club.host.use(device!.publicKey, { rx: 50, tx: 60 }, club.clock.now().getTime());
  club.clock.advance(3_000);
  const stats = (await own.call("GET /vpn/configs/{id}/stats", { params: { id: config!.id } })).body;
  expect(stats).toMatchObject({ dataReceived: 60, dataSent: 50 });
  // Now it is an ordinary config.
  expect((await own.call("DELETE /vpn/configs/{id}", { params: { id: config!.id } })).status).toBe(204);
  await look(panel);
  expect(devicesOf(club)).toEqual([]);
  expect(await auditOf(panel, config!.id)).toMatchObject([
    { action: "config.taken_in", actorId: admin.id, after: { interface: "Этот сервер: Interface 1" } },
  ]);
});

test("one that is disconnected goes at once, and its address is free again", async () => {
  const { club, admin, anna, boris } = await aClub();
  await make(club, anna, "laptop");
  const path = await backupOf(club);
  for (const name of ["one", "two", "three"]) await make(club, boris, name);
  await club.app.jobs.stop();
  const panel = await panelFrom(club, path);
  const staff = await panel.enter(admin);
  const ids = async () => (await staff.call("GET /admin/unknown-peers")).body.peers.map(({ id }) => id);
  const disconnect = (some: string[]) => staff.call("POST /admin/unknown-peers/disconnect", { body: { ids: some } });
  const [, second = "", third = ""] = await ids();
  expect((await disconnect([second, randomUUID()])).body).toEqual({ disconnected: 1 });
  expect(devicesOf(club)).toEqual(["10.8.0.2/32", "10.8.0.3/32", "10.8.0.5/32"]);
  expect((await disconnect([third])).body).toEqual({ disconnected: 1 });
  const visitor = await panel.enter(anna);
  for (const name of ["phone", "tablet"]) {
    const wish = await configInput(club, anna, { name });
    expect((await visitor.call("POST /vpn/configs", { body: wish })).status, name).toBe(201);
  }
  expect(devicesOf(club).sort()).toEqual(["10.8.0.2/32", "10.8.0.3/32", "10.8.0.4/32", "10.8.0.5/32"]);
  const interfaceId = (await staff.call("GET /admin/servers/interfaces")).body[0]?.id ?? "";
  const entry = { action: "interface.unknown_disconnected", actorId: admin.id, before: null, after: { configs: 1 } };
  expect(await auditOf(panel, interfaceId)).toEqual([entry, entry]);
});

test("a device of the backup whose address another got since waits until an admin decides", async () => {
  const { club, admin, anna, boris } = await aClub();
  const old = await make(club, anna, "old");
  const path = await backupOf(club);
  // Permanently deleted after the backup, so that its address is reassigned.
  await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.username } });
  await club.settle();
  await make(club, boris, "new");
  const before = wireOf(club);
  expect(devicesOf(club)).toEqual(["10.8.0.2/32"]);
  await club.app.jobs.stop();
  const panel = await panelFrom(club, path);
  expect(wireOf(club)).toEqual(before);
  const staff = await panel.enter(admin);
  const [peer] = (await staff.call("GET /admin/unknown-peers")).body.peers;
  expect(peer).toMatchObject({ rival: { by: "address", name: "old", username: anna.username } });
  const keep = await staff.call("POST /admin/unknown-peers/{id}/take-in", {
    params: { id: peer!.id },
    body: { userId: boris.id, name: "kept", deviceType: "phone" },
  });
  expect(keep.code).toBe("unknown_peer.address_taken");
  await staff.call("POST /admin/unknown-peers/disconnect", { body: { ids: [peer!.id] } });
  await look(panel);
  expect(club.host.devicesOn("wg0")).toHaveLength(1);
  expect(wireOf(club)).not.toEqual(before);
  const [known] = await panel.app.parts.configs.byIds(panel.db, [old.id]);
  expect(club.host.devicesOn("wg0")[0]?.publicKey).toBe(known?.public_key);
});

test("the older panel, still running, changes nothing any more, says so, and stops working", async () => {
  const { club, admin, anna, boris } = await aClub();
  await make(club, anna, "laptop");
  const path = await backupOf(club);
  const panel = await panelFrom(club, path);
  const wire = wireOf(club);
  // A member's request just before it noticed.
  await make(club, boris, "late");
  await vi.waitFor(async () => expect(await club.app.parts.fencing.newer()).not.toBeNull(), 10_000);
  expect(wireOf(club)).toEqual(wire);
  const refused = await club
    .as(boris)
    .call("POST /vpn/configs", { body: await configInput(club, boris, { name: "two" }) });
  expect(refused).toMatchObject({ status: 503, code: "panel.superseded" });
  expect((await club.as(boris).call("GET /vpn/configs")).status).toBe(200);
  const system = (await club.as(admin).call("GET /admin/system")).body;
  expect(system.newerPanel).toMatchObject({ server: "Этот сервер", since: club.clock.now().toISOString() });
  expect(await panel.app.parts.fencing.newer()).toBeNull();
  // After a restart it does not even read the machine.
  const { apply } = club.host.calls;
  await club.restart();
  await look(panel);
  expect(wireOf(club)).toEqual(wire);
  expect(club.host.calls.apply).toBe(apply + 1);
  expect(await club.app.start()).toMatchObject([expect.stringContaining("restored elsewhere")]);
  // At the operator's request it is the current one again, and then the restored one is the older.
  await club.app.parts.fencing.takeOver();
  await club.restart();
  expect((await club.as(admin).call("GET /admin/system")).body.newerPanel).toBeNull();
  expect(devicesOf(club)).toHaveLength(2);
  await look(panel);
  expect(await panel.app.parts.fencing.newer()).not.toBeNull();
  const entries = (await club.as(admin).call("GET /admin/audit")).body;
  expect(entries[0]).toMatchObject({ action: "system.taken_over", by: null });
});

test("of two restores of one backup the first to reach a machine is obeyed", async () => {
  const { club, anna } = await aClub();
  await make(club, anna, "laptop");
  const path = await backupOf(club);
  await club.app.jobs.stop();
  const [first, second] = [await panelFrom(club, path), await panelFrom(club, path)];
  expect(await first.app.parts.fencing.newer()).toBeNull();
  expect(await second.app.parts.fencing.newer()).toMatchObject({ server: "Этот сервер" });
  await look(first);
  expect(await first.app.parts.fencing.newer()).toBeNull();
});

/** A server elsewhere, set up. */
async function rented(club: Club, admin: Person) {
  const vps = club.remotes.rent(AT);
  const added = await club.as(admin).send("POST", "/api/admin/servers", {
    name: "Хельсинки",
    credentials: { host: AT, port: 22, username: "root", password: "right" },
  });
  const { id } = added.body as { id: string };
  for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const)
    await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id } });
  return { vps, id };
}

test("a machine's claim of a restore that it cannot prove stops no panel: admins are notified, and work continues elsewhere", async () => {
  const { club, admin, anna } = await aClub();
  const { vps, id } = await rented(club, admin);
  const { parts } = club.app;
  const own = await parts.fencing.read();
  const since = club.clock.now().getTime();
  const signed = (number: number, key: Pick<typeof parts.sealing, "hash"> = parts.sealing) =>
    newToken(key, { club: own.club, number, since });
  const stranger = { hash: (purpose: string, value: string) => parts.sealing.hash(`another ${purpose}`, value) };
  const seen = async () => {
    // A failed server is left alone for a while.
    club.clock.advance(6 * 60_000);
    await look(club);
    const staff = club.as(await club.admin());
    const server = (await staff.call("GET /admin/servers")).body.find((each) => each.id === id);
    const { newerPanel } = (await staff.call("GET /admin/system")).body;
    return [newerPanel === null, server?.status, server?.problem];
  };
  expect(await seen()).toEqual([true, "connected", null]);
  const lies = [
    // Also what a panel of an earlier version says of itself.
    { number: 3, token: randomUUID(), since },
    { number: 4, token: own.token, since },
    { number: 5, token: signed(2), since },
    { number: 6, token: signed(6), since: since + 1 },
    { number: 7, token: signed(7, stranger), since },
  ];
  for (const lie of lies) {
    vps.host.obey({ club: own.club, ...lie });
    expect([lie.number, ...(await seen())]).toEqual([lie.number, true, "error", "unproved_restore"]);
  }
  for (const { run } of parts.servers.timed) await run();
  const told = (await club.as(admin).call("GET /inbox")).body;
  expect(told.map(({ kind }) => kind)).toContain("server_gone");
  expect(await lookAtServers(checkWords.en, club.app, club.clock.now())).toContainEqual(
    expect.objectContaining({ level: "wrong", code: "server.unproved_restore" }),
  );
  // Elsewhere, and after a start.
  await club.restart();
  await make(club, anna, "laptop");
  expect(devicesOf(club)).toHaveLength(1);
  vps.host.obey({ club: own.club, number: 8, token: signed(8), since });
  club.clock.advance(6 * 60_000);
  await look(club);
  expect(await club.app.parts.fencing.newer()).toMatchObject({ server: "Хельсинки", since });
});

test("a server that is down at the restore is read when it is back; until then nobody gets an address on it", async () => {
  const { club, admin, anna, boris } = await aClub();
  const { vps, id } = await rented(club, admin);
  await club.as(admin).call("PUT /admin/servers/{id}/set-main", { params: { id } });
  await make(club, anna, "laptop");
  const path = await backupOf(club);
  await make(club, boris, "later");
  const addresses = () => vps.host.devicesOn("wg0").map(({ allowedIps }) => allowedIps.join());
  expect(addresses()).toHaveLength(2);
  await club.app.jobs.stop();
  vps.away = new SshFailure("silent");
  const panel = await panelFrom(club, path);
  const wanted = await configInput(club, anna, { name: "phone" });
  const visitor = await panel.enter(anna);
  const early = await visitor.call("POST /vpn/configs", { body: wanted });
  expect(early).toMatchObject({ status: 409, code: "interface.awaits_look" });
  vps.away = null;
  await look(panel);
  expect(addresses()).toEqual(["10.8.0.2/32", "10.8.0.3/32"]);
  expect((await visitor.call("POST /vpn/configs", { body: wanted })).status).toBe(201);
  expect(addresses()).toEqual(["10.8.0.2/32", "10.8.0.3/32", "10.8.0.4/32"]);
  const staff = await panel.enter(admin);
  expect((await staff.call("GET /admin/unknown-peers")).body.peers).toMatchObject([{ server: { name: "Хельсинки" } }]);
  // The older panel learns it from that server.
  club.app.jobs.start();
  await look(club);
  expect(await club.app.parts.fencing.newer()).toMatchObject({ server: expect.any(String) });
  expect(addresses()).toHaveLength(3);
});

test("preshared keys of kept devices open with a new master key too", async () => {
  const { club, admin, anna, boris } = await aClub();
  const path = await backupOf(club);
  await make(club, boris, "later");
  const psk = generatePresharedKey();
  club.host.devicesOn("wg0")[0]!.presharedKey = psk;
  await club.app.jobs.stop();
  const panel = await panelFrom(club, path);
  await look(panel);
  expect(club.host.devicesOn("wg0")[0]!.presharedKey).toBe(psk);
  const staff = await panel.enter(admin);
  const [peer] = (await staff.call("GET /admin/unknown-peers")).body.peers;
  await staff.call("POST /admin/unknown-peers/{id}/take-in", {
    params: { id: peer!.id },
    body: { userId: anna.id, name: "kept", deviceType: "computer" },
  });
  await look(panel);
  expect(club.host.devicesOn("wg0")[0]!.presharedKey).toBe(psk);
});
