import { reason } from "@krug/domain/reasons";
import { amneziaMtu, whyNotProfile } from "@krug/wireguard/amneziawg";
import { parseAmneziaLink } from "@krug/wireguard/amneziawg-link";
import { parseAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let boris: Person;
let serverId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  boris = await club.member();
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
});
afterEach(() => club.stop());

const create = async (amneziawg: object = { preset: "dns" }, more: object = {}) => {
  club.clock.advance(1_000);
  const path = `/api/admin/servers/${serverId}/create-interface`;
  const answer = await club.as(admin).send("POST", path, { amneziawg, ...more });
  expect(answer.status).toBe(201);
  return (answer.body as { interface: Shown }).interface;
};
const listed = async () => (await club.as(admin).call("GET /admin/servers/interfaces")).body;
type Shown = Awaited<ReturnType<typeof listed>>[number];
const shown = async (id: string) => (await listed()).find((row) => row.id === id)!;
const change = (id: string, body: object) =>
  club.as(admin).send("PUT", `/api/admin/wireguard/${serverId}/interfaces/${id}`, body);
const device = async (interfaceId: string, about: object = {}) =>
  (
    await club
      .as(boris)
      .call("POST /vpn/configs", { body: { ...(await configInput(club, boris)), interfaceId, ...about } })
  ).body;
const fileOf = async (id: string) =>
  (await club.as(boris).call("GET /vpn/configs/{id}/qrcode", { params: { id } })).body.config;
const onMachine = (name = "wg1") => club.host.interfaces.get(name);
const keyOf = () => onMachine()?.parameters?.header_protection_key ?? "";

describe("a new AmneziaWG interface", () => {
  test("is of 3.1 by default, with a profile of its own that its machine has in full", async () => {
    const made = await create();
    expect(made).toMatchObject({ type: "amneziawg", conflict: null, amneziawg: { version: "3.1" } });
    const profile = { version: "3.1" as const, parameters: onMachine()?.parameters ?? {} };
    expect(onMachine()?.type).toBe("amneziawg");
    expect(whyNotProfile(profile)).toEqual([]);
    expect(made.amneziawg?.parameters).toMatchObject({ Jc: profile.parameters.jc, S1: profile.parameters.s1 });
    expect(made.amneziawg?.mtu).toBe(amneziaMtu(profile));
    const another = await create();
    expect(another.amneziawg?.parameters).not.toEqual(made.amneziawg?.parameters);
    expect(onMachine("wg0")).toMatchObject({ type: "wireguard" });
  });

  test("of 2.0 has that version's parameters only", async () => {
    const { amneziawg } = await create({ version: "2.0", preset: "quic" });
    expect(amneziawg?.version).toBe("2.0");
    expect(Object.keys(amneziawg?.parameters ?? {})).not.toContain("RandomTrailers");
    expect(amneziawg?.parameters.I1).toMatch(/^<b 0xc/);
  });

  test.each([[{ preset: "loud" }], [{ version: "1.0", preset: "dns" }], [{}], [{ preset: "dns", jc: 4 }]])(
    "is not made from %j",
    async (amneziawg) => {
      const path = `/api/admin/servers/${serverId}/create-interface`;
      expect((await club.as(admin).send("POST", path, { amneziawg })).status).toBe(400);
      expect(await listed()).toHaveLength(1);
    },
  );

  test("shows its key to devices only: not to staff, in the audit log, or in plain text in the database", async () => {
    const made = await create();
    const key = keyOf();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const base64 = Buffer.from(key, "hex").toString("base64");
    const everything = JSON.stringify([
      made,
      await listed(),
      await auditOf(club, made.id),
      [...(await club.allRows())],
    ]);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(base64);
    const { id } = await device(made.id);
    expect(await fileOf(id)).toContain(`HeaderProtectionKey = ${base64}`);
  });

  test("is the same after a restart of the panel", async () => {
    await create();
    const before = onMachine()?.parameters;
    await club.restart();
    club.host.reboot();
    await club.app.lookAtServers();
    await club.settle();
    expect(onMachine()?.parameters).toEqual(before);
  });
});

describe("a device of such an interface", () => {
  test("gets a file with all that both ends share, and an MTU that leaves room for the padding", async () => {
    const made = await create();
    const { id, tunnel } = await device(made.id);
    expect(tunnel).toEqual({ type: "amneziawg", version: "3.1" });
    const file = parseAmneziaConfig(await fileOf(id));
    expect(file.profile).toMatchObject({ version: "3.1", parameters: onMachine()?.parameters });
    expect(file.mtu).toBe(made.amneziawg?.mtu);
    expect(file.peer.endpoint.port).toBe(made.listenPort);
  });

  test("gets the same as a link for AmneziaVPN; a plain device gets none", async () => {
    const made = await create();
    const { id } = await device(made.id);
    const { body } = await club.as(boris).call("GET /vpn/configs/{id}/link", { params: { id } });
    expect(body.name).toBe("laptop");
    expect(parseAmneziaLink(body.link)).toEqual({
      description: "laptop",
      config: parseAmneziaConfig(await fileOf(id)),
    });
    const plain = await device((await listed())[0]!.id, { name: "old" });
    expect(plain.tunnel).toEqual({ type: "wireguard", version: null });
    const refused = await club.as(boris).send("GET", `/api/vpn/configs/${plain.id}/link`);
    expect([refused.status, refused.body]).toMatchObject([409, { error: { code: "config.no_link" } }]);
  });

  test("with a key made in the browser gets a file without it, and no link", async () => {
    const made = await create();
    const { publicKey } = generateKeyPair();
    const { id, template } = await device(made.id, { publicKey });
    expect(template).not.toContain("PrivateKey");
    expect(template).toMatch(/^Jc = \d/m);
    const refused = await club.as(boris).send("GET", `/api/vpn/configs/${id}/link`);
    expect(refused.body).toMatchObject({ error: { code: "config.key_in_browser" } });
  });

  test("is created there by default only if there is no plain interface: it needs another app", async () => {
    const made = await create();
    const wish = async (name: string) => {
      const { interfaceId: _, ...body } = await configInput(club, boris, { name });
      return (await club.as(boris).call("POST /vpn/configs", { body })).body.tunnel.type;
    };
    for (const name of ["a", "b"]) expect(await wish(name)).toBe("wireguard");
    await change((await listed())[0]!.id, { takesNew: false });
    expect(await wish("c")).toBe("amneziawg");
    const offered = (await club.as(boris).call("GET /vpn/available-interfaces")).body;
    expect(offered.find(({ id }) => id === made.id)?.tunnel).toEqual({ type: "amneziawg", version: "3.1" });
  });
});

describe("a change of parameters", () => {
  test("that devices need not know reaches the machine and outdates no file", async () => {
    const made = await create();
    const { id } = await device(made.id);
    await fileOf(id);
    const answer = await change(made.id, { amneziawg: { Jc: "9", I1: "", MaxHandshakeAttempts: "11-12" } });
    expect(answer.status).toBe(200);
    expect(onMachine()?.parameters).toMatchObject({ jc: "9", i1: "", max_handshake_attempts: "11-12" });
    expect((await club.as(boris).call("GET /vpn/configs")).body[0]).toMatchObject({ needsDownload: false });
    expect((await shown(made.id)).amneziawg?.parameters).toMatchObject({ Jc: "9", MaxHandshakeAttempts: "11-12" });
    const changed = (await auditOf(club, made.id)).find(({ action }) => action === "interface.changed");
    expect(changed).toMatchObject({
      after: { parameters: "Jc = 9, I1 = , MaxHandshakeAttempts = 11-12" },
    });
  });

  test("that silences devices must state their number, and outdates their files", async () => {
    const made = await create({ version: "2.0", preset: "ordinary" });
    const { id } = await device(made.id);
    await fileOf(id);
    const before = onMachine()?.parameters;
    const wish = { amneziawg: { H1: "7-9" } };
    const refused = await change(made.id, wish);
    expect(refused.body).toMatchObject({ error: { code: "interface.cuts_off", details: { count: 1 } } });
    expect(onMachine()?.parameters).toEqual(before);
    expect((await change(made.id, { ...wish, cutsOff: 1 })).status).toBe(200);
    expect(onMachine()?.parameters).toEqual({ ...before, h1: "7-9" });
    expect((await club.as(boris).call("GET /vpn/configs")).body[0]).toMatchObject({ needsDownload: true });
    expect(await fileOf(id)).toContain("H1 = 7-9");
  });

  test.each([
    [{ Jc: "many" }, { field: "Jc", reason: "not_a_value" }],
    [
      { Jmin: "300", Jmax: "200" },
      { field: "Jmax", reason: "below_other", other: "Jmin" },
    ],
    [{ S1: "1200" }, { field: "S1", reason: "too_large" }],
    [{ H2: "1-4294967295" }, { field: "H2" }],
    [{ I1: "<r -5>" }, { field: "I1", reason: "not_a_value" }],
    [{ I2: "<b 0xff>\nPrivateKey = x" }, { field: "I2", reason: "not_a_value" }],
    [{ RandomTrailers: "off" }, { field: "RandomTrailers", reason: "not_in_version" }],
    [{ PrivateKey: "x" }, { field: "PrivateKey", reason: "unknown" }],
  ])("to %j is refused by its field and changes nothing", async (amneziawg, details) => {
    const made = await create({ version: "2.0", preset: "ordinary" });
    const before = onMachine()?.parameters;
    const refused = await change(made.id, { name: "other", amneziawg });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { code: "interface.parameter_invalid", details } });
    expect(onMachine()?.parameters).toEqual(before);
    expect((await shown(made.id)).name).toBe(made.name);
  });

  test("of a plain interface is refused, as is an MTU without room for the padding", async () => {
    const plain = (await listed())[0]!;
    expect((await change(plain.id, { amneziawg: { Jc: "4" } })).body).toMatchObject({
      error: { code: "interface.parameter_invalid", details: { field: "Jc" } },
    });
    const made = await create();
    expect((await change(made.id, { mtu: 1420 })).body).toMatchObject({
      error: { code: "interface.parameter_invalid", details: { field: "S4", reason: "too_large" } },
    });
  });

  test("does not overwrite another's simultaneous change", async () => {
    const made = await create();
    const seen = made.amneziawg?.parameters;
    await change(made.id, { amneziawg: { Jc: "9" } });
    const refused = await change(made.id, { amneziawg: { Jc: "4" }, expected: { amneziawg: seen } });
    expect(refused.body).toMatchObject({
      error: { code: "interface.changed_meanwhile", details: { fields: ["amneziawg"] } },
    });
  });
});

test("a machine's missing requirements show before an interface is created there", async () => {
  const ask = async () =>
    (await club.as(admin).call("GET /admin/servers/{id}/amneziawg", { params: { id: serverId } })).body;
  expect(await ask()).toEqual({ lacks: null, why: null, module: null });
  const lacks = reason("lack.tun");
  club.host.amneziawg = { lacks, module: "1.0.0" };
  expect(await ask()).toMatchObject({ why: { code: "lack.tun" }, module: "1.0.0" });
});

test("an interface whose header protection key cannot be opened keeps its tunnels, and the rest of its server obeys", async () => {
  const made = await create();
  const { id } = await device(made.id);
  const beside = await device((await listed()).find(({ type }) => type === "wireguard")?.id ?? "", { name: "Beside" });
  const peersBeside = () => onMachine("wg0")?.peers.length ?? 0;
  const look = async () => {
    await club.app.lookAtServers();
    await club.settle();
  };
  await look();
  const [own, key, before] = [onMachine()?.peers, keyOf(), peersBeside()];
  await sql`update interfaces set sealed_header_key = 'v1.AAAA' where id = ${made.id}`.execute(club.db);
  await club.restart();
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: beside.id } });
  await look();
  expect(peersBeside()).toBe(before - 1);
  expect([onMachine()?.peers, keyOf()]).toEqual([own, key]);
  expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } })).code).toBe(
    "config.secret_lost",
  );
  expect((await change(made.id, { name: "Renamed" })).status).toBe(200);
});
