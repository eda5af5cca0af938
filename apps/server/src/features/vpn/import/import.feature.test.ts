import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ActualInterface } from "@krug/wireguard/interface";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { wgEasyDatabase } from "../../../../testing/wg-easy-database.ts";

let club: Club;
let admin: Person;
let anna: Person;
let boris: Person;
let serverId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  [anna, boris] = [await club.member(), await club.member()];
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
});
afterEach(() => club.stop());

const own = generateKeyPair();
const [laptop, phone, router] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const psk = generatePresharedKey();
const peer = (name: string, { publicKey }: { publicKey: string }, allowedIps: string, more = "") =>
  `\n# ${name}\n[Peer]\nPublicKey = ${publicKey}\nAllowedIPs = ${allowedIps}\n${more}`;
const head = `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.9.0.1/24\nListenPort = 51900\nPostUp = true\n`;
const netdev = `[NetDev]\nName=wg0\nKind=wireguard\n\n[WireGuard]\nPrivateKey=${own.privateKey}\nListenPort=51820\n
[WireGuardPeer]\nPublicKey=${laptop.publicKey}\nAllowedIPs=10.9.0.7/32\n`;
const nmconnection = `[connection]\nid=wg0\ntype=wireguard\ninterface-name=wg0\n\n[wireguard]\nlisten-port=51820
private-key=${own.privateKey}\n\n[wireguard-peer.${laptop.publicKey}]\nallowed-ips=10.9.0.7/32;\n\n[ipv4]\nmethod=manual\n`;
const file = () =>
  head +
  peer(anna.username.toUpperCase(), laptop, "10.9.0.7/32, fd00::7/128", `PresharedKey = ${psk}\n`) +
  peer("Бориса телефон", phone, "10.9.0.9/32") +
  peer("office", router, "10.9.0.10/32, 192.168.1.0/24");

const path = () => `/api/admin/servers/${serverId}/moving-in`;
const look = (body: object = {}) => club.as(admin).send("POST", `${path()}/preview`, { file: file(), ...body });
const chosen = () => [
  { publicKey: laptop.publicKey, userId: anna.id, name: "laptop", deviceType: "computer" },
  { publicKey: phone.publicKey, userId: boris.id, name: "phone", deviceType: "phone" },
];
const takeIn = (body: object = {}) => club.as(admin).send("POST", path(), { file: file(), devices: chosen(), ...body });
const configsOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;
const interfaces = async () => (await club.as(admin).call("GET /admin/servers/interfaces")).body;
const download = (owner: Person, id: string) =>
  club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id } });
const catalogue = async () => (await configInput(club, anna)).services;
/** As the other program left it running on the server. */
const runThere = () => {
  const made = (publicKey: string, address: string, bytes: number): ActualInterface["peers"][number] => ({
    publicKey: publicKey as typeof laptop.publicKey,
    presharedKey: null,
    allowedIps: [`${address}/32`],
    hasEndpoint: true,
    lastHandshakeAt: club.clock.now().getTime() - 5_000,
    rxBytes: bytes,
    txBytes: bytes * 3,
    persistentKeepalive: null,
  });
  club.host.interfaces.set("wg7", {
    name: "wg7",
    publicKey: own.publicKey,
    listenPort: 51900,
    type: "wireguard",
    fwmark: null,
    peers: [made(phone.publicKey, "10.9.0.9", 5_000), made(router.publicKey, "10.9.0.10", 7_000)],
  });
  club.host.foreign.interfaceNames.push("wg7");
  club.host.foreign.udpPorts.push(51900);
  club.host.foreign.subnets.push("10.9.0.0/24");
};

test("a preview shows what would happen to each device, and writes nothing", async () => {
  const answer = await look({ owners: [boris.id] });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    publicKey: own.publicKey,
    subnet: "10.9.0.0/24",
    listenPort: 51900,
    mtu: null,
    amneziawg: null,
    isTypeOpen: false,
    runsAs: null,
    givesWay: [],
    ignored: ["PostUp"],
    unread: [],
    devices: [
      {
        publicKey: laptop.publicKey,
        name: anna.username.toUpperCase(),
        suggestedName: expect.stringMatching(/^[A-Za-z0-9_-]{1,15}$/),
        suggestedUsername: `${anna.username.toLowerCase()}-2`,
        address: "10.9.0.7",
        hasPrivateKey: false,
        isEnabled: true,
        endsAt: null,
        traffic: null,
        losesV6: true,
        strange: null,
        suggestedOwner: { id: anna.id, username: anna.username, displayName: expect.any(String) },
      },
      expect.objectContaining({
        name: "Бориса телефон",
        suggestedName: "device-2",
        suggestedUsername: "borisa-telefon",
        strange: null,
        suggestedOwner: null,
      }),
      expect.objectContaining({ name: "office", suggestedName: "office", strange: "networks", address: null }),
    ],
    owners: [
      expect.objectContaining({ id: anna.id, isEntitled: true, configs: 0 }),
      expect.objectContaining({ id: boris.id, isEntitled: true, configs: 0 }),
    ],
  });
  expect(await interfaces()).toHaveLength(1);
});

test("chosen devices become configs with their keys and addresses, and are on the wire with the answer", async () => {
  const answer = await takeIn({ name: "Старый" });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    configs: 2,
    interface: {
      name: "Старый",
      subnet: "10.9.0.0/24",
      listenPort: 51900,
      conflict: null,
      configCount: 2,
      peerCount: 2,
    },
  });
  const there = club.host.interfaces.get("wg1")!;
  expect(there).toMatchObject({ publicKey: own.publicKey, listenPort: 51900 });
  const wire = club.host
    .devicesOn("wg1")
    .map(({ publicKey, presharedKey, allowedIps }) => [publicKey, presharedKey, allowedIps]);
  expect(wire.sort()).toEqual(
    [
      [laptop.publicKey, psk, ["10.9.0.7/32"]],
      [phone.publicKey, null, ["10.9.0.9/32"]],
    ].sort(),
  );
  expect(await configsOf(anna)).toMatchObject([
    { name: "laptop", state: "applied", keyOrigin: "browser", services: [], needsDownload: false },
  ]);
  expect(await configsOf(boris)).toMatchObject([{ name: "phone", deviceType: "phone", state: "applied" }]);
  const [added] = (await interfaces()).filter(({ name }) => name === "Старый");
  expect(await auditOf(club, added!.id)).toMatchObject([{ action: "interface.moved_in", after: { configs: 2 } }]);
});

test("all files of an interface are read together, and a wrong one is named", async () => {
  const own = { name: "wg0.conf", content: file() };
  const ofPhone = `[Interface]\nPrivateKey = ${phone.privateKey}\n[Peer]\nEndpoint = 192.0.2.1:51900\n`;
  const seen = await look({ file: [own, { name: "root/boris.conf", content: ofPhone }] });
  expect(seen.body).toMatchObject({ devices: [{ hasPrivateKey: false }, { hasPrivateKey: true }, {}] });
  const refused = await look({ file: [own, { name: "wg0.json", content: "{" }] });
  expect(refused).toMatchObject({ status: 400, code: "import.file_wrong" });
  expect(refused.message).toMatch(/^wg0\.json: Это не файл сервера/);
});

type Taken = { invited: [{ id: string; link: string; expiresAt: string }] };

test("devices without a member become one member per person, who enters by a link, at once with a subscription", async () => {
  const vera = { newMember: { username: "vera-new", displayName: "Вера" } };
  const devices = [
    { publicKey: laptop.publicKey, ...vera, name: "laptop", deviceType: "computer" },
    { publicKey: phone.publicKey, ...vera, name: "phone", deviceType: "phone" },
  ];
  const taken = await takeIn({ devices: [{ ...devices[0], newMember: { username: anna.username } }] });
  expect(taken).toMatchObject({ status: 409, code: "member.username_taken" });
  expect(await interfaces(), "nothing of it was written").toHaveLength(1);
  const answer = await takeIn({
    devices,
    newMembersUntil: new Date(club.clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10),
  });
  expect(answer.body).toMatchObject({ configs: 2, interface: { peerCount: 2 }, invited: [{ displayName: "Вера" }] });
  const [{ id, link, expiresAt }] = (answer.body as Taken).invited;
  expect(Date.parse(expiresAt)).toBe(club.clock.now().getTime() + 14 * 86_400_000);
  const body = {
    token: new URLSearchParams(new URL(link).hash.slice(1)).get("token")!,
    password: "correct horse battery",
  };
  expect(await club.guest.call("POST /auth/set-password", { body })).toMatchObject({ status: 200 });
  expect((await club.as(admin).call("GET /users/{id}", { params: { id } })).body).toMatchObject({
    username: "vera-new",
  });
});

test("a suggested username is no member's, with its number neither", async () => {
  await Promise.all(["borisa-telefon", "Borisa-Telefon-2"].map((username) => club.member({ username })));
  const { body } = await look();
  expect(body).toMatchObject({ devices: [{}, { suggestedUsername: "borisa-telefon-3" }, {}] });
});

test("who had several devices is not called as one of them", async () => {
  const of = (displayName: string) => ({ newMember: { username: "pavel", displayName } });
  const devices = [
    { publicKey: laptop.publicKey, ...of("pavel laptop"), name: "laptop", deviceType: "computer" },
    { publicKey: phone.publicKey, ...of("pavel phone"), name: "phone", deviceType: "phone" },
  ];
  expect((await takeIn({ devices })).body).toMatchObject({ invited: [{ displayName: "pavel" }] });
});

test("a new device gets an address that none of them has", async () => {
  await takeIn();
  const moved = (await interfaces()).find(({ subnet }) => subnet === "10.9.0.0/24");
  await club
    .as(admin)
    .call("POST /admin/servers/interfaces/assign", { body: { userId: boris.id, interfaceId: moved!.id } });
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { vpnConfigLimit: -1 } });
  for (let device = 0; device < 8; device++)
    await club.as(boris).call("POST /vpn/configs", {
      body: { ...(await configInput(club, boris)), name: `new-${device}`, interfaceId: moved!.id },
    });
  const taken = club.host.devicesOn("wg1").flatMap(({ allowedIps }) => allowedIps);
  expect(taken.toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((host) => `10.9.0.${host}/32`).toSorted());
});

describe("an interface that already runs", () => {
  test("no chosen device is dropped, the others are, and their earlier traffic is not counted", async () => {
    runThere();
    expect((await look()).body).toMatchObject({ runsAs: "wg7", listenPort: 51900 });
    expect((await takeIn()).body).toMatchObject({ interface: { interfaceName: "wg7", conflict: null, peerCount: 2 } });
    const kept = club.host.devicesOn("wg7").find(({ publicKey }) => publicKey === phone.publicKey);
    expect(kept, "it was never taken off").toMatchObject({ rxBytes: 5_000, txBytes: 15_000 });
    expect(club.host.devicesOn("wg7").map(({ publicKey }) => publicKey)).not.toContain(router.publicKey);
    club.clock.advance(60_000);
    club.host.use(phone.publicKey, { rx: 40, tx: 60 }, club.clock.now().getTime());
    const [config] = await configsOf(boris);
    expect(config?.stats).toMatchObject({ dataSent: 40, dataReceived: 60 });
  });

  test.each([2 ** 64, 2 ** 53 + 2, 0.5])(
    "a server's reading of %s for a device does not stop the move",
    async (bytes) => {
      runThere();
      for (const there of club.host.interfaces.get("wg7")!.peers) there.rxBytes = bytes;
      expect((await takeIn()).status).toBe(201);
      const [config] = await configsOf(boris);
      expect(config?.stats).toMatchObject({ dataSent: 0, dataReceived: 0 });
    },
  );

  test("a port or a subnet already in use is refused by name", async () => {
    club.host.foreign.udpPorts.push(51900);
    expect((await look()).status, "the earlier program may serve until the move").toBe(200);
    expect(await takeIn()).toMatchObject({ status: 409, code: "interface.port_taken" });
    expect((await takeIn({ listenPort: 51901 })).status).toBe(201);
    const other = { file: file().replace(own.privateKey, generateKeyPair().privateKey) };
    expect(await look(other)).toMatchObject({ status: 409, code: "interface.subnet_taken" });
  });
});

test("members who may not use the VPN are named in the preview, and cut off", async () => {
  await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false } });
  expect((await look({ owners: [boris.id] })).body).toMatchObject({
    owners: [
      { id: anna.id, isEntitled: true },
      { id: boris.id, isEntitled: false },
    ],
  });
  await takeIn();
  expect(club.host.devicesOn("wg1").map(({ publicKey }) => publicKey)).toEqual([laptop.publicKey]);
});

test("nothing is claimed about an imported device's routes", async () => {
  const check = async () =>
    (await club.as(admin).call("GET /admin/rules/check", { query: { userId: anna.id, target: "203.0.113.99" } })).body;
  await takeIn();
  expect(await check()).toMatchObject({ obstacle: null, beside: [] });
});

test("a thousand devices are imported at once", async () => {
  const devices = Array.from({ length: 1_000 }, (_, at) => ({ ...generateKeyPair(), at }));
  const address = (at: number) => `10.9.${(at + 2) >> 8}.${(at + 2) & 255}`;
  const large =
    head.replace("/24", "/16") +
    devices.map((one) => peer(`device ${one.at}`, one, `${address(one.at)}/32`, `PresharedKey = ${psk}\n`)).join("");
  const answer = await takeIn({
    file: large,
    devices: devices.map(({ publicKey, at }) => ({ publicKey, userId: anna.id, name: `d${at}`, deviceType: "phone" })),
  });
  expect([answer.status, answer.code]).toEqual([201, undefined]);
  expect(answer.body).toMatchObject({ configs: 1_000, interface: { subnet: "10.9.0.0/16", peerCount: 1_000 } });
});

describe("another download of a file", () => {
  const refusal = async (call: Promise<{ status: number; code?: string | undefined }>) => (await call).code;

  test("is not possible before services are chosen, and then has the device's own key", async () => {
    const wgEasy = JSON.stringify({
      server: { privateKey: own.privateKey, address: "10.9.0.1" },
      clients: { a: { name: "anna", address: "10.9.0.7", ...laptop, preSharedKey: psk } },
    });
    const devices = [{ ...chosen()[0] }];
    expect(await refusal(takeIn({ file: wgEasy, devices }))).toBe("import.field_missing");
    expect((await takeIn({ file: wgEasy, devices, listenPort: 51900 })).status).toBe(201);
    const [config] = await configsOf(anna);
    expect(config).toMatchObject({ keyOrigin: "panel", services: [] });
    const id = config!.id;
    for (const [method, end] of [
      ["GET", "download"],
      ["GET", "qrcode"],
      ["POST", "key"],
    ] as const)
      expect(await refusal(club.as(anna).send(method, `/api/vpn/configs/${id}/${end}`)), end).toBe(
        "config.routes_unknown",
      );
    expect(await configsOf(anna)).toMatchObject([{ id, state: "applied", services: [] }]);
    const renamed = await club.as(anna).call("PUT /vpn/configs/{id}", { params: { id }, body: { name: "mac" } });
    expect(renamed.status).toBe(200);
    await club.as(anna).call("PUT /vpn/configs/{id}", { params: { id }, body: { services: await catalogue() } });
    const text = String((await download(anna, id)).body);
    expect(text).toContain(`PrivateKey = ${laptop.privateKey}`);
    expect(text).toContain("Address = 10.9.0.7/32");
    expect(text).toContain(`PresharedKey = ${psk}`);
  });

  test("gets a new key if only the device has the old one", async () => {
    await takeIn();
    const [config] = await configsOf(boris);
    const id = config!.id;
    expect(await refusal(club.as(boris).send("GET", `/api/vpn/configs/${id}/download`))).toBe("config.routes_unknown");
    expect(await refusal(club.as(boris).send("POST", `/api/vpn/configs/${id}/key`))).toBe("config.routes_unknown");
    expect(
      club.host.devicesOn("wg1").map(({ publicKey }) => publicKey),
      "its key stays",
    ).toContain(phone.publicKey);
    const services = (await configInput(club, boris)).services.slice(0, 1);
    await club.as(boris).call("PUT /vpn/configs/{id}", { params: { id }, body: { services } });
    await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    const text = String((await download(boris, id)).body);
    expect(text).toContain("Address = 10.9.0.9/32");
    expect(text).toMatch(/PrivateKey = /);
    expect(club.host.devicesOn("wg1").map(({ publicKey }) => publicKey)).not.toContain(phone.publicKey);
  });
});

const names = JSON.stringify([{ clientId: phone.publicKey, userData: { clientName: "Борис: телефон" } }]);
const deviceFile = `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.9.0.7/32\n[Peer]\nPublicKey = ${phone.publicKey}\nAllowedIPs = 0.0.0.0/0\nEndpoint = vpn.example.org:51820\n`;

describe("as WireGuard treats it", () => {
  const devices = async (body: object) => ((await look(body)).body as { devices: unknown[] }).devices;

  test("of two devices with one address the later one is imported, and the earlier loses it", async () => {
    const text = head + peer("old", laptop, "10.9.0.7/32") + peer("new", phone, "10.9.0.7/32");
    expect(await devices({ file: text })).toMatchObject([
      { name: "old", address: null, strange: "replaced" },
      { name: "new", address: "10.9.0.7", strange: null },
    ]);
    const refused = await takeIn({ file: text, devices: [chosen()[0]] });
    expect(refused.code).toBe("import.device_refused");
    expect((await takeIn({ file: text, devices: [chosen()[1]] })).status).toBe(201);
    expect(club.host.devicesOn("wg1")).toMatchObject([{ publicKey: phone.publicKey, allowedIps: ["10.9.0.7/32"] }]);
  });

  test("if the interface runs, its machine decides who has an address and which other peers there are", async () => {
    runThere();
    const text = head + peer("phone", phone, "10.9.0.9/32") + peer("gone", laptop, "10.9.0.9/32");
    expect(await devices({ file: text })).toMatchObject([
      { name: "phone", address: "10.9.0.9", strange: null },
      { name: "gone", address: null, strange: "replaced" },
      { name: null, publicKey: router.publicKey, address: "10.9.0.10", strange: null },
    ]);
  });

  test("a broken device is marked with its line, and the others are imported", async () => {
    const text = `${head}MTU =\n${peer("phone", phone, "10.9.0.9/32")}${peer("broken", laptop, "/32")}`;
    expect((await look({ file: text })).body).toMatchObject({
      unread: [
        { line: 6, field: "MTU" },
        { line: 16, field: "AllowedIPs" },
      ],
      devices: [{ strange: null }, { strange: "unreadable", address: null }],
    });
    expect((await takeIn({ file: text, devices: [chosen()[1]] })).status).toBe(201);
  });

  test("an address without a prefix is in the network of its devices", async () => {
    const bare = head.replace("/24", "");
    const near = bare + peer("phone", phone, "10.9.0.9/32");
    expect((await look({ file: near })).body).toMatchObject({ subnet: "10.9.0.0/24" });
    const far = near + peer("laptop", laptop, "10.9.3.7/32");
    expect((await look({ file: far })).body).toMatchObject({ subnet: "10.9.0.0/22" });
    const odd = near + peer("laptop", laptop, "192.168.7.7/32");
    expect((await look({ file: odd })).body).toMatchObject({
      subnet: "10.9.0.0/24",
      devices: [{ strange: null }, { strange: "address" }],
    });
  });

  test("of two networks, the one with most devices becomes the interface's, and the other is named", async () => {
    const two = head.replace(/^Address = (.*)$/m, "Address = 172.16.5.1/24\nAddress = $1");
    const text = `${two}${peer("phone", phone, "10.9.0.9/32")}${peer("laptop", laptop, "10.9.0.7/32")}${peer("router", router, "172.16.5.2/32")}`;
    expect((await look({ file: text })).body).toMatchObject({
      subnet: "10.9.0.0/24",
      ignored: ["PostUp", "Address = 172.16.5.1/24"],
      devices: [{ strange: null }, { strange: null }, { strange: "address" }],
    });
    const one = two + peer("router", router, "172.16.5.2/32");
    expect((await look({ file: one })).body).toMatchObject({ subnet: "172.16.5.0/24" });
  });

  test("a device that was switched off is imported as off", async () => {
    const text = file().replace(/\n# Бориса[\s\S]*?9\/32\n/, (lines) => lines.replace(/^(?=.)/gm, "#[disabled] "));
    expect(await devices({ file: text })).toMatchObject([
      { isEnabled: true },
      { isEnabled: false, name: "Бориса телефон", address: "10.9.0.9", strange: null },
      {},
    ]);
    expect((await takeIn({ file: text })).status).toBe(201);
    expect(club.host.devicesOn("wg1").map(({ publicKey }) => publicKey)).toEqual([laptop.publicKey]);
    expect(await configsOf(boris)).toMatchObject([{ name: "phone", state: "off" }]);
  });

  test("AmneziaVPN's table gives devices their names", async () => {
    const nameless = head + peer("", phone, "10.9.0.9/32") + peer("", laptop, "10.9.0.7/32");
    expect(await devices({ file: nameless, clientsTable: names })).toMatchObject([
      { name: "Борис: телефон" },
      { name: null },
    ]);
  });
});

describe("a refused import changes nothing", () => {
  const [first, second] = [0, 1];
  const with_ = (index: number, change: object) => ({
    devices: chosen().map((device, at) => (at === index ? { ...device, ...change } : device)),
  });
  test.each([
    ["a device that routes a network", () => with_(second, { publicKey: router.publicKey }), "import.device_refused"],
    ["a device twice", () => with_(second, { publicKey: laptop.publicKey }), "import.device_refused"],
    ["a device that is not in the file", () => with_(first, { publicKey: own.publicKey }), "import.device_refused"],
    ["a name twice", () => with_(second, { userId: anna.id, name: "LAPTOP" }), "import.name_taken"],
    ["a name that no config may have", () => with_(second, { name: "мой телефон" }), "config.name_invalid"],
    ["a member who is not there", () => with_(second, { userId: serverId }), "member.not_found"],
    ["another program's text", () => ({ file: "hello" }), "import.unreadable"],
    ["AmneziaWG 1.5", () => ({ file: `${head}Jc = 4\nJ1 = <t>\n` }), "import.amneziawg_outdated"],
    ["an AmneziaWG that no engine runs", () => ({ file: `${head}Jmin = 9\nJmax = 8\n` }), "import.parameter_wrong"],
    ["a broken key of the interface", () => ({ file: file().replace(own.privateKey, "broken") }), "import.line_wrong"],
    ["a device's file", () => ({ file: deviceFile }), "import.device_file"],
    ["a file of systemd-networkd", () => ({ file: netdev }), "import.other_program"],
    ["a file of NetworkManager", () => ({ file: nmconnection }), "import.other_program"],
    ["systemd-networkd's other file", () => ({ file: "[Match]\nName=wg0\n\n[Network]\n" }), "import.other_program"],
    ["a section of nobody's", () => ({ file: file().replace("[Peer]", "[Pear]") }), "import.line_wrong"],
    ["AmneziaVPN's names without its server's file", () => ({ file: names }), "import.names_only"],
    ["something else as AmneziaVPN's names", () => ({ clientsTable: "hello" }), "import.names_unreadable"],
    ["a public network", () => ({ file: file().replaceAll("10.9.0.", "8.8.8.") }), "interface.subnet_invalid"],
  ])("%s", async (_, body, code) => {
    const answer = await takeIn(body());
    expect([answer.status >= 400, answer.code]).toEqual([true, code]);
    expect(JSON.stringify(answer.body)).not.toContain(own.privateKey);
    expect(await interfaces()).toHaveLength(1);
    expect([...(await configsOf(anna)), ...(await configsOf(boris))]).toEqual([]);
  });

  test("an interface that exists already, or was just imported by somebody else", async () => {
    const both = await Promise.all([takeIn(), takeIn()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await look()).toMatchObject({ status: 409, code: "interface.already_here" });
    expect(await interfaces()).toHaveLength(2);
  });

  test("a device whose key the club already has is recognised", async () => {
    const body = await configInput(club, anna, { name: "mine", publicKey: phone.publicKey });
    await club.as(anna).call("POST /vpn/configs", { body });
    const answer = await look();
    expect(answer.body).toMatchObject({
      devices: [{ strange: null }, { strange: "key_taken" }, { strange: "networks" }],
    });
    expect(await takeIn()).toMatchObject({ status: 409, code: "import.device_refused" });
  });
});

test("wg-easy's database is imported like its file, with end dates, and a member's file has the device's own key", async () => {
  const clients = [
    { name: anna.username, ...laptop, presharedKey: psk, address: "10.9.0.7" },
    { name: "office", ...router, address: "10.9.0.10", behind: ["192.168.1.0/24"] },
  ];
  const ended = "update clients_table set expires_at = '2026-11-01T20:59:59.000Z', enabled = 0";
  const bytes = wgEasyDatabase(own.privateKey, clients, ended);
  const file = `data:application/vnd.sqlite3;base64,${bytes.toString("base64")}`;
  const { body } = await look({ file });
  expect(body).toMatchObject({
    subnet: "10.9.0.0/24",
    listenPort: 51901,
    devices: [
      { address: "10.9.0.7", hasPrivateKey: true, strange: null, suggestedOwner: { id: anna.id } },
      { strange: "networks" },
    ],
  });
  const devices = [{ publicKey: laptop.publicKey, userId: anna.id, name: "laptop", deviceType: "computer" }];
  expect((await takeIn({ file, devices })).status).toBe(201);
  const [config] = await configsOf(anna);
  const ends = { at: "2026-11-01T23:59:59.000+03:00", isOver: true, byStaff: true };
  expect(config).toMatchObject({ state: "off", isBlocked: false, ends, dormant: expect.any(Object) });
  const services = (await catalogue()).slice(0, 1);
  await club.as(anna).call("PUT /vpn/configs/{id}", { params: { id: config?.id ?? "" }, body: { services } as never });
  const { body: text } = await download(anna, config?.id ?? "");
  expect(JSON.stringify(text)).toContain(laptop.privateKey);
  expect(JSON.stringify(text)).toContain("10.9.0.7");
  expect(await look({ file: "data:application/vnd.sqlite3;base64,AAAA" })).toMatchObject({ code: "import.unreadable" });
});

describe("wg-easy's default network, which a fresh panel's Interface 1 also has", () => {
  const usual = () =>
    `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.8.0.1/24\nListenPort = 51820\n` +
    peer("ноутбук", laptop, "10.8.0.2/32");
  const devices = () => [{ publicKey: laptop.publicKey, userId: anna.id, name: "laptop", deviceType: "computer" }];
  const moveIn = () => takeIn({ file: usual(), devices: devices() });
  const places = async () => (await interfaces()).map(({ name, subnet, listenPort }) => ({ name, subnet, listenPort }));
  const before = { name: "Interface 1", subnet: "10.8.0.0/24", listenPort: 51820 };
  const after = { name: "Interface 1", subnet: "10.8.1.0/24", listenPort: 51821 };

  test("Interface 1 gives way while empty, which is previewed and audited, and takes devices at its new network", async () => {
    const said = await look({ file: usual() });
    expect(said.body).toMatchObject({
      givesWay: [
        {
          name: "Interface 1",
          subnet: { from: "10.8.0.0/24", to: "10.8.1.0/24" },
          port: { from: 51820, to: 51821 },
        },
      ],
    });
    expect(await places()).toEqual([before]);
    const [first] = await interfaces();
    club.clock.advance(1_000);
    expect((await moveIn()).status).toBe(201);
    expect(await places()).toEqual([after, { name: "Interface 2", subnet: "10.8.0.0/24", listenPort: 51820 }]);
    expect(await auditOf(club, first!.id)).toMatchObject([
      {
        actorId: admin.id,
        action: "interface.changed",
        before: { subnet: "10.8.0.0/24", listen_port: 51820 },
        after: { subnet: "10.8.1.0/24", listen_port: 51821 },
      },
    ]);
    expect([...club.host.interfaces.values()].map(({ listenPort }) => listenPort).sort()).toEqual([51820, 51821]);
    const wish = await configInput(club, boris, { name: "new" });
    const made = await club.as(boris).call("POST /vpn/configs", { body: wish });
    expect(made.status).toBe(201);
  });

  test("not once it has had a device, even one that is gone", async () => {
    const { id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    club.clock.advance(61_000);
    await club.app.parts.configs.purgePast();
    expect((await look({ file: usual() })).code).toBe("interface.subnet_taken");
    expect((await moveIn()).code).toBe("interface.subnet_taken");
    expect(await places()).toEqual([before]);
  });

  test("not while its machine has somebody's peer there", async () => {
    const [first] = [...club.host.interfaces.values()];
    first!.peers.push({
      publicKey: phone.publicKey,
      presharedKey: null,
      allowedIps: ["10.8.0.9/32"],
      hasEndpoint: true,
      lastHandshakeAt: club.clock.now().getTime(),
      rxBytes: 1,
      txBytes: 1,
      persistentKeepalive: null,
    });
    expect((await look({ file: usual() })).code).toBe("interface.subnet_taken");
  });
});

test("what a panel killed while it read a database left is gone within the hour, however soon it runs again", async () => {
  const left = mkdtempSync(join(tmpdir(), "krug-moving-in-"));
  onTestFinished(() => rmSync(left, { recursive: true, force: true }));
  await club.app.start();
  expect(existsSync(left)).toBe(true);
  const before = new Date(Date.now() - 120_000);
  utimesSync(left, before, before);
  await club.app.doScheduled();
  expect(existsSync(left)).toBe(false);
});

test("a deleted interface that was given back stays on the machine, for its old program has it again", async () => {
  await takeIn();
  const [{ id } = { id: "" }] = (await interfaces()).filter(({ interfaceName }) => interfaceName !== "wg0");
  const round = async () => {
    runThere();
    await club.app.lookAtServers();
    await club.settle();
    return club.host.interfaces.has("wg7");
  };
  const path = `/api/admin/servers/${serverId}/interfaces/${id}?configs=2`;
  expect((await club.as(admin).send("DELETE", path)).status).toBe(204);
  await club.settle();
  expect(await round(), "until then its key is the panel's").toBe(false);
  await club.transact((tx) => club.app.parts.interfaces.giveBack(tx, serverId, own.publicKey));
  expect(await round()).toBe(true);
  expect((await takeIn()).status, "it may come again").toBe(201);
  expect(await interfaces()).toContainEqual(expect.objectContaining({ interfaceName: "wg7", configCount: 2 }));
});
