import { reason } from "@krug/domain/reasons";
import { parseAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;

let club: Club;
let admin: Person;
let boris: Person;
let anna: Person;
let serverId: string;
let old: Shown;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  [boris, anna] = [await club.member(), await club.member()];
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
  club.clock.advance(1_000);
  const path = `/api/admin/servers/${serverId}/create-interface`;
  const made = await club.as(admin).send("POST", path, { name: "Скрытый", prefix: 22, amneziawg: { preset: "dns" } });
  old = (made.body as { interface: Shown }).interface;
});
afterEach(() => club.stop());

const listed = async () => (await club.as(admin).call("GET /admin/servers/interfaces")).body;
type Shown = Awaited<ReturnType<typeof listed>>[number];
const shown = async (id: string) => (await listed()).find((row) => row.id === id);
const rotate = (id = old.id, body: object = {}) =>
  club.as(admin).send("POST", `/api/admin/servers/interfaces/${id}/rotate`, { preset: "quic", ...body });
const device = async (owner: Person, about: object = {}) => {
  const body = { ...(await configInput(club, owner)), interfaceId: old.id, ...about };
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body })).body;
  return id;
};
const fileOf = async (owner: Person, id: string) =>
  (await club.as(owner).call("GET /vpn/configs/{id}/qrcode", { params: { id } })).body.config;
const configOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body[0]!;
const toldMoved = async (owner: Person) =>
  (await club.as(owner).call("GET /inbox")).body.find((notice) => notice.kind === "configs_moved")?.params;
const minute = async () => {
  club.clock.advance(60_000);
  await club.settle();
  await club.app.parts.rotation.timed[0]?.run();
  await club.settle();
};
/** Connects a device with its keys on the interface of this name. */
const connects = async (owner: Person, name: string) => {
  const key = club.host.devicesOn(name).find(({ allowedIps }) => allowedIps.length > 0)?.publicKey ?? "";
  club.host.use(key, { rx: 1_000, tx: 1_000 }, club.clock.now().getTime(), name);
  await club.app.lookAtServers();
  await club.settle();
  return configOf(owner);
};

describe("new parameters", () => {
  test("start on a second interface next to the first, which keeps every device until it connects there", async () => {
    const id = await device(boris);
    const before = parseAmneziaConfig(await fileOf(boris, id));
    const begun = await rotate();
    expect(begun.body).toMatchObject({ kind: "interface", from: { id: old.id }, to: { name: "Скрытый 2" } });
    await club.settle();
    const next = (await listed()).find(({ name }) => name === "Скрытый 2")!;
    expect(next).toMatchObject({ type: "amneziawg", conflict: null, configCount: 1, capacity: old.capacity });
    expect(next.listenPort).not.toBe(old.listenPort);
    expect(club.host.devicesOn("wg1")).toHaveLength(1);
    expect(club.host.devicesOn("wg2")).toHaveLength(1);
    const config = await configOf(boris);
    expect(config).toMatchObject({ interfaceId: next.id, needsDownload: true, moving: { interfaceId: old.id } });
    expect(await toldMoved(boris)).toMatchObject({ names: ["laptop"], needsAmneziawg: false });
    const after = parseAmneziaConfig(await fileOf(boris, id));
    expect(after.privateKey).toBe(before.privateKey);
    expect(after.peer.endpoint.port).toBe(next.listenPort);
    expect(after.profile.parameters.s1).toBe(club.host.interfaces.get("wg2")?.parameters?.s1);
    expect(after.profile.parameters.header_protection_key).not.toBe(before.profile.parameters.header_protection_key);
  });

  test("delete the first one once all its devices have connected there, and not before", async () => {
    for (const owner of [boris, anna]) await fileOf(owner, await device(owner));
    await rotate();
    await club.settle();
    await minute();
    expect(await shown(old.id)).toMatchObject({ leavingCount: 2, takesNew: false });
    const first = await connects(boris, "wg2");
    expect([first.moving, (await configOf(anna)).moving].filter(Boolean)).toHaveLength(1);
    await minute();
    expect(await shown(old.id)).toMatchObject({ leavingCount: 1 });
    const left = club.host.devicesOn("wg2").find(({ lastHandshakeAt }) => lastHandshakeAt === null)!;
    club.host.use(left.publicKey, { rx: 9, tx: 9 }, club.clock.now().getTime(), "wg2");
    await club.app.lookAtServers();
    await club.settle();
    await minute();
    expect(await shown(old.id)).toBeUndefined();
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.interfaces.has("wg1")).toBe(false);
    expect((await auditOf(club, old.id)).map(({ action }) => action)).toContain("interface.deleted");
  });

  test("delete it at the date, even if a device never connected, and not a day before", async () => {
    await fileOf(boris, await device(boris));
    const { body } = await rotate(old.id, { days: 3 });
    const goesAt = new Date(club.clock.now().getTime() + 3 * DAY_MS).toISOString();
    expect(body).toMatchObject({ goesAt });
    await club.settle();
    club.clock.advance(2.5 * DAY_MS);
    admin = await club.admin();
    await club.app.parts.configs.endMoves();
    await minute();
    expect(await shown(old.id)).toBeDefined();
    expect((await configOf(boris)).moving).not.toBeNull();
    club.clock.advance(DAY_MS);
    await club.app.parts.configs.endMoves();
    await minute();
    admin = await club.admin();
    expect(await shown(old.id)).toBeUndefined();
    expect(await configOf(boris)).toMatchObject({ moving: null });
  });

  test("leave the first one if a device cannot be moved because only its browser has the key", async () => {
    const { publicKey } = generateKeyPair();
    await device(boris, { publicKey });
    await rotate(old.id, { days: 1 });
    await club.settle();
    club.clock.advance(2 * DAY_MS);
    await minute();
    admin = await club.admin();
    expect(await shown(old.id)).toMatchObject({ configCount: 1 });
  });

  test("move nothing if the second interface does not come up, and leave none behind", async () => {
    await fileOf(boris, await device(boris));
    const apply = club.host.apply;
    club.host.apply = async (...args) => {
      const applied = await apply(...args);
      return {
        ...applied,
        conflicts: [{ name: "wg2", reason: "failed" as const, why: reason("lack.tun", {}, "no engine") }],
      };
    };
    const refused = await rotate();
    expect(refused.body).toMatchObject({
      error: { code: "interface.not_up", details: { reason: expect.stringContaining("no engine") } },
    });
    club.host.apply = apply;
    await club.settle();
    expect(await listed()).toHaveLength(2);
    expect(await configOf(boris)).toMatchObject({ interfaceId: old.id, moving: null });
  });

  test("requested twice are one second interface, also at once", async () => {
    await fileOf(boris, await device(boris));
    await Promise.all([rotate(), rotate()]);
    await club.settle();
    expect(await listed()).toHaveLength(3);
    await rotate();
    await club.settle();
    expect(await listed()).toHaveLength(3);
  });

  test("also make an AmneziaWG interface from a plain one", async () => {
    const plain = (await listed())[0]!;
    const id = await device(boris, { interfaceId: plain.id });
    await fileOf(boris, id);
    await rotate(plain.id, { version: "2.0" });
    await club.settle();
    expect(await configOf(boris)).toMatchObject({ tunnel: { type: "amneziawg", version: "2.0" } });
    expect(await toldMoved(boris), "that another app is needed").toMatchObject({ needsAmneziawg: true });
  });
});

describe("a member who requests another way to connect", () => {
  test("has the same device on the other type for two weeks next to the old one, and it counts once", async () => {
    const [plain] = await listed();
    const id = await device(boris, { interfaceId: plain!.id });
    await fileOf(boris, id);
    const { body } = await club
      .as(boris)
      .call("PUT /vpn/configs/{id}", { params: { id }, body: { interfaceId: old.id } });
    expect(body).toMatchObject({ tunnel: { type: "amneziawg" }, moving: { interfaceId: plain!.id } });
    const days = (Date.parse(body.moving?.until ?? "") - club.clock.now().getTime()) / DAY_MS;
    expect(days).toBe(14);
    expect((await club.as(boris).call("GET /vpn/configs")).body).toHaveLength(1);
    expect(club.host.devicesOn("wg0")).toHaveLength(1);
    expect((await connects(boris, "wg1")).moving).toBeNull();
    await club.settle();
    expect(club.host.devicesOn("wg0").filter(({ allowedIps }) => allowedIps.length > 0)).toHaveLength(0);
  });
});
