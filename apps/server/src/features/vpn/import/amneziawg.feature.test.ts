import { randomInt } from "node:crypto";
import { type AmneziaProfile, type AmneziaVersion, amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { givenProfile } from "@krug/wireguard/amneziawg-given";
import { amneziaLines, parseAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import type { TunnelParameters, TunnelType } from "@krug/wireguard/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { wgEasyDatabase } from "../../../../testing/wg-easy-database.ts";

let club: Club;
let admin: Person;
let anna: Person;
let serverId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member();
  serverId = (await club.as(admin).call("GET /admin/servers")).body[0]!.id;
});
afterEach(() => club.stop());

const own = generateKeyPair();
const laptop = generateKeyPair();
const psk = generatePresharedKey();
const linesOf = (profile: AmneziaProfile) => amneziaLines(profile).map(({ field, text }) => `${field.key} = ${text}`);
/** `more`: lines of [Interface]. */
const fileOf = (more: readonly string[]) =>
  [
    `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.9.0.1/24\nListenPort = 51900`,
    ...more,
    `[Peer]\n#_Name = anna\nPublicKey = ${laptop.publicKey}\nPresharedKey = ${psk}\nAllowedIPs = 10.9.0.7/32\n`,
  ].join("\n");
const path = () => `/api/admin/servers/${serverId}/moving-in`;
const look = (file: string, more: object = {}) => club.as(admin).send("POST", `${path()}/preview`, { file, ...more });
const takeIn = async (file: string, more: object = {}) => {
  const devices = [{ publicKey: laptop.publicKey, userId: anna.id, name: "laptop", deviceType: "computer" }];
  const answer = await club.as(admin).send("POST", path(), { file, devices, ...more });
  return { ...answer, made: (answer.body as { interface?: { id: string; name: string } }).interface };
};
/** As another program left it running there. */
const runThere = (type: TunnelType, parameters?: TunnelParameters) =>
  club.host.interfaces.set("awg7", {
    name: "awg7",
    publicKey: own.publicKey,
    listenPort: 51900,
    type,
    ...(parameters && { parameters }),
    fwmark: null,
    peers: [
      {
        publicKey: laptop.publicKey,
        presharedKey: psk,
        allowedIps: ["10.9.0.7/32"],
        hasEndpoint: true,
        lastHandshakeAt: club.clock.now().getTime() - 5_000,
        rxBytes: 5_000,
        txBytes: 9_000,
        persistentKeepalive: null,
      },
    ],
  });
const change = (id: string, body: object) =>
  club.as(admin).send("PUT", `/api/admin/wireguard/${serverId}/interfaces/${id}`, body);

/** As AmneziaVPN made them in 2024: without the later padding, and with two messages of one size. */
const OLD = ["Jc = 4", "Jmin = 10", "Jmax = 50", "S1 = 1", "S2 = 57", "H1 = 1", "H2 = 2", "H3 = 3", "H4 = 4"];

test.each<AmneziaVersion>(["2.0", "3.1"])(
  "an interface of %s is imported with every parameter, and later files have them",
  async (version) => {
    const profile = generateProfile(version, "dns", randomInt);
    const file = fileOf(linesOf(profile));
    expect((await look(file)).body).toMatchObject({ amneziawg: { version, faults: [] }, isTypeOpen: false });
    const { status, made } = await takeIn(file);
    expect(status).toBe(201);
    expect(made).toMatchObject({ type: "amneziawg", amneziawg: { version }, conflict: null, peerCount: 1 });
    const there = club.host.interfaces.get("wg1");
    expect(there).toMatchObject({ type: "amneziawg", publicKey: own.publicKey, listenPort: 51900 });
    expect(there?.parameters).toEqual(givenProfile(profile.parameters)?.parameters);

    const [config] = (await club.as(anna).call("GET /vpn/configs")).body;
    const id = config?.id ?? "";
    expect(config).toMatchObject({ name: "laptop", tunnel: { type: "amneziawg", version } });
    const { services } = await configInput(club, anna);
    await club.as(anna).call("PUT /vpn/configs/{id}", { params: { id }, body: { services } });
    await club.as(anna).call("POST /vpn/configs/{id}/key", { params: { id } });
    const { body } = await club.as(anna).call("GET /vpn/configs/{id}/qrcode", { params: { id } });
    const given = parseAmneziaConfig(body.config);
    expect(given.profile).toEqual(givenProfile(profile.parameters));
    expect(given).toMatchObject({ mtu: amneziaMtu(profile), addresses: ["10.9.0.7/32"] });
  },
);

test("its secret is shown to devices only: not in the preview, the answer, a refusal, the audit log, or in plain text", async () => {
  const profile = generateProfile("3.1", "ordinary", randomInt);
  const key = profile.parameters.header_protection_key ?? "";
  const file = fileOf(linesOf(profile));
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  const base64 = Buffer.from(key, "hex").toString("base64");
  expect(file).toContain(base64);
  const preview = await look(file);
  const refused = [await look(fileOf([...linesOf(profile), "S1 = x"])), await look(file.replace(base64, "nonsense"))];
  const broken = { ...profile, parameters: { ...profile.parameters, s1: "3" } };
  const fatal = await takeIn(fileOf(linesOf(broken)));
  expect(fatal).toMatchObject({ status: 400, code: "import.parameter_wrong" });
  expect(refused).toMatchObject([{ code: "import.line_wrong" }, { code: "import.line_wrong" }]);
  const moved = await takeIn(file);
  const all = JSON.stringify([
    preview.body,
    refused,
    fatal,
    moved,
    await auditOf(club, moved.made?.id ?? ""),
    [...(await club.allRows())],
  ]);
  expect(all).toContain('"amneziawg"');
  expect(all).not.toContain(key);
  expect(all).not.toContain(base64);
  await club.restart();
  club.host.reboot();
  await club.app.lookAtServers();
  await club.settle();
  expect(club.host.interfaces.get("wg1")?.parameters?.header_protection_key).toBe(key);
});

describe("parameters that the panel would not generate", () => {
  test("are reported in the preview and kept", async () => {
    const { body } = await look(fileOf([...OLD, "S4 = 10", "MTU = 1420"]));
    const { amneziawg } = body as { amneziawg: { version: string; faults: { field: string }[] } };
    expect(amneziawg.version).toBe("2.0");
    expect(amneziawg.faults).toContainEqual({ field: "S2", reason: "same_size_as_other", other: "S1" });
    expect(amneziawg.faults).toContainEqual({ field: "S4", reason: "too_large", limit: 0 });
    const { status } = await takeIn(fileOf([...OLD, "S4 = 10", "MTU = 1420"]));
    expect(status).toBe(201);
    expect(club.host.interfaces.get("wg1")?.parameters).toMatchObject({ s1: "1", s2: "57", s4: "10", h1: "1" });
  });

  test("do not prevent other changes, which must not add to them", async () => {
    const { made } = await takeIn(fileOf(OLD));
    const id = made?.id ?? "";
    expect((await change(id, { name: "Старый" })).status).toBe(200);
    expect((await change(id, { amneziawg: { Jc: "6" } })).status).toBe(200);
    expect(club.host.interfaces.get("wg1")?.parameters).toMatchObject({ jc: "6", s1: "1", h4: "4" });
    expect((await change(id, { amneziawg: { Jmin: "60" } })).body).toMatchObject({
      error: { code: "interface.parameter_invalid", details: { field: "Jmax", reason: "below_other" } },
    });
    expect((await change(id, { mtu: 1500 })).status).toBe(400);
  });

  test.each([
    ["H2", [...OLD.slice(0, 6), "H2 = 1-9"]],
    ["Jmax", ["Jmin = 50", "Jmax = 40"]],
    ["S4", ["S4 = 1400"]],
  ])("are refused by name if no engine runs with %s", async (name, lines) => {
    const answer = await takeIn(fileOf(lines));
    expect(answer).toMatchObject({ status: 400, code: "import.parameter_wrong" });
    expect(answer.body).toMatchObject({ error: { details: { name } } });
    expect(club.host.interfaces.has("wg1")).toBe(false);
  });
});

describe("an interface that already runs", () => {
  const running = givenProfile({ jc: "4", jmin: "10", jmax: "50", s1: "1", s2: "57" })?.parameters;

  test("in an engine: no chosen device is dropped", async () => {
    runThere("amneziawg", running);
    expect((await look(fileOf(OLD))).body).toMatchObject({ runsAs: "awg7", amneziawg: { version: "2.0" } });
    const { made } = await takeIn(fileOf(OLD));
    expect(made).toMatchObject({ interfaceName: "awg7", conflict: null });
    expect(club.host.devicesOn("awg7")).toMatchObject([
      { publicKey: laptop.publicKey, rxBytes: 5_000, txBytes: 9_000 },
    ]);
    expect(club.host.interfaces.get("awg7")?.type).toBe("amneziawg");
  });

  test("parameters that devices need not know may differ from the file", async () => {
    runThere("amneziawg", { ...running, jc: "9", i1: "<t>" });
    expect((await takeIn(fileOf(OLD))).status).toBe(201);
    expect(club.host.interfaces.get("awg7")?.parameters).toMatchObject({ jc: "4", i1: "" });
  });

  test.each([
    ["with another value that devices share", OLD, () => runThere("amneziawg", { ...running, s1: "2" })],
    ["as plain WireGuard", OLD, () => runThere("wireguard")],
    ["as AmneziaWG without a word of it in the file", [], () => runThere("amneziawg", {})],
  ])("%s, it is refused before anybody is cut off", async (_, lines, run) => {
    run();
    for (const answer of [await look(fileOf(lines)), await takeIn(fileOf(lines))]) {
      expect(answer).toMatchObject({ status: 409, code: "import.runs_otherwise" });
      expect(answer.body).toMatchObject({ error: { details: { name: "awg7" } } });
    }
    expect(club.host.devicesOn("awg7")).toHaveLength(1);
  });

  test("in the kernel's module, it has to be stopped first", async () => {
    club.host.foreign.interfaceNames.push("awg0");
    club.host.foreign.subnets.push("10.9.0.1/24");
    club.host.foreign.kernelTunnels.push({ name: "awg0", subnets: ["10.9.0.1/24"] });
    const answer = await look(fileOf(OLD));
    expect(answer).toMatchObject({ status: 409, code: "import.runs_in_kernel" });
    expect(answer.body).toMatchObject({ error: { details: { name: "awg0" } } });
    expect((await takeIn(fileOf(OLD))).code).toBe("import.runs_in_kernel");
    club.host.foreign.kernelTunnels.length = 0;
    club.host.foreign.kernelTunnels.push({ name: "awg0", subnets: ["10.66.0.1/24"] });
    expect((await look(fileOf(OLD))).code, "its neighbour is no obstacle by itself").toBe("interface.subnet_taken");
  });
});

describe("wg-easy's database, which has parameters even for a plain tunnel", () => {
  const columns = ["j_c integer default 7", "s1 integer default 128", "h1 text default '99'"];
  const bytes = () =>
    wgEasyDatabase(
      own.privateKey,
      [{ name: "anna", ...laptop, presharedKey: psk, address: "10.9.0.7" }],
      columns.map((column) => `alter table interfaces_table add column ${column};`).join(""),
    );
  const database = () => `data:application/vnd.sqlite3;base64,${bytes().toString("base64")}`;

  test("is plain unless the operator says that it is AmneziaWG", async () => {
    const file = database();
    expect((await look(file)).body).toMatchObject({ isTypeOpen: true, amneziawg: null });
    expect((await look(file, { amneziawg: true })).body).toMatchObject({
      isTypeOpen: true,
      amneziawg: { version: "2.0" },
    });
    const { made } = await takeIn(file, { amneziawg: true });
    expect(made).toMatchObject({ type: "amneziawg", amneziawg: { parameters: { Jc: "7", S1: "128", H1: "99" } } });
  });

  test("is imported as WireGuard otherwise", async () => {
    const { made } = await takeIn(database());
    expect(made).toMatchObject({ type: "wireguard", amneziawg: null });
  });

  test.each<[TunnelType, TunnelParameters | undefined]>([
    ["wireguard", undefined],
    ["amneziawg", { jc: "7", s1: "128", h1: "99" }],
  ])("uses the running type, if it runs: %s", async (type, parameters) => {
    runThere(type, parameters);
    expect((await look(database(), { amneziawg: type === "wireguard" })).body).toMatchObject({
      runsAs: "awg7",
      isTypeOpen: false,
      amneziawg: type === "wireguard" ? null : { version: "2.0" },
    });
    expect((await takeIn(database())).made).toMatchObject({ type, interfaceName: "awg7" });
  });
});
