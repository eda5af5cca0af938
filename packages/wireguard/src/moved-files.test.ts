import { expect, test } from "vitest";
import { generateKeyPair, generatePresharedKey } from "./keys.ts";
import { joinParts, type NamedText, type PeerTable, partOf } from "./moved-files.ts";
import { ServerFileError, type ServerFilePeer } from "./server-file.ts";

const server = generateKeyPair();
const [anna, boris, vera] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const psk = generatePresharedKey();
const own = `[Interface]\nPrivateKey = ${server.privateKey}\nAddress = 10.8.0.1/24\nListenPort = 51820\n`;
const peer = ({ publicKey }: { publicKey: string }, host: number, comment = "") =>
  `\n${comment}[Peer]\nPublicKey = ${publicKey}\nAllowedIPs = 10.8.0.${host}/32\n`;
const conf = (text: string): NamedText => ({ name: "etc/wireguard/wg0.conf", text });
const deviceFile = ({ privateKey }: { privateKey: string }) =>
  `[Interface]\nPrivateKey = ${privateKey}\nAddress = 10.8.0.2/24\nDNS = 9.9.9.9\n\n[Peer]\nPublicKey = ${server.publicKey}\n` +
  "Endpoint = vpn.example.org:51820\nAllowedIPs = 0.0.0.0/0\n";
const json = (name: string, value: object): NamedText => ({ name, text: JSON.stringify(value) });

const read = (files: readonly NamedText[]) => joinParts(files.map(partOf));
const devices = (files: readonly NamedText[]) =>
  read(files).peers.map(({ name, privateKey, isEnabled }) => [name, privateKey, isEnabled]);
const failure = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServerFileError)) throw error;
    return [error.reason, error.at, error.file];
  }
};

test.each([
  [
    "Nyr's script",
    `# BEGIN_PEER anna\n`,
    `# BEGIN_PEER boris\n`,
    [
      { name: "root/anna.conf", text: deviceFile(anna) },
      { name: "root/boris.conf", text: deviceFile(boris) },
    ],
  ],
  [
    "angristan's script, whose name is in the file's too",
    "### Client anna\n",
    "",
    [
      { name: "root/wg0-client-anna.conf", text: deviceFile(anna) },
      { name: "root/wg0-client-boris.conf", text: deviceFile(boris) },
    ],
  ],
  [
    "PiVPN",
    "### begin anna ###\n",
    "",
    [
      {
        name: "configs/clients.txt",
        text: `anna ${anna.publicKey} 1767225600 174063618\nboris ${boris.publicKey} 1 2\n`,
      },
      { name: "configs/anna.conf", text: deviceFile(anna) },
      { name: "keys/boris_priv", text: `${boris.privateKey}\n` },
    ],
  ],
])("%s: names, and the devices' keys from their own files", (_, before, beforeOther, files) => {
  const file = own + peer(anna, 2, before) + peer(boris, 3, beforeOther);
  expect(devices([conf(file), ...files])).toEqual([
    ["anna", anna.privateKey, true],
    ["boris", boris.privateKey, true],
  ]);
  expect(read([...files, conf(file)]).ignored, "the devices' DNS stays theirs").toEqual(["DNS = 9.9.9.9"]);
});

const uiClient = (name: string, { privateKey, publicKey }: typeof anna, host: number, more = {}) =>
  json(`db/clients/${name}.json`, {
    id: name,
    private_key: privateKey,
    public_key: publicKey,
    preshared_key: psk,
    name,
    email: "",
    allocated_ips: [`10.252.1.${host}/32`],
    allowed_ips: ["0.0.0.0/0"],
    extra_allowed_ips: [],
    enabled: true,
    ...more,
  });
const wireguardUi = () => [
  json("db/server/keypair.json", { private_key: server.privateKey, public_key: server.publicKey }),
  json("db/server/interfaces.json", { addresses: ["10.252.1.0/24"], listen_port: "51825", post_up: "iptables …" }),
  json("db/server/global_settings.json", { endpoint_address: "192.0.2.1", dns_servers: ["1.1.1.1"], mtu: "1450" }),
  json("db/server/hashes.json", { client: "none", server: "none" }),
  json("db/users/admin.json", { username: "admin", password_hash: "x", admin: true }),
  uiClient("anna", anna, 1),
  uiClient("boris", boris, 2, { enabled: false, extra_allowed_ips: ["192.168.1.0/24"] }),
];

test("wireguard-ui: interface, port, MTU, devices with keys, those switched off, and what stays", () => {
  const sound = { isBroken: false, endsAt: null, presharedKey: psk };
  expect(read(wireguardUi())).toEqual({
    ...server,
    addresses: ["10.252.1.0/24"],
    listenPort: 51825,
    mtu: 1450,
    profile: null,
    mayBePlain: false,
    ignored: ["PostUp", "DNS = 1.1.1.1"],
    unread: [],
    peers: [
      { ...sound, name: "anna", ...anna, allowedIps: ["10.252.1.1/32"], isEnabled: true },
      { ...sound, name: "boris", ...boris, allowedIps: ["10.252.1.2/32", "192.168.1.0/24"], isEnabled: false },
    ],
  });
});

test("wg-easy 14: its own file has the keys, the tunnel's file next to it the port", () => {
  const client = { name: "anna", address: "10.8.0.2", ...anna, preSharedKey: psk, enabled: false };
  const files = [
    conf(own + peer(boris, 3, "# Client: boris (7c1f)\n")),
    json("etc/wireguard/wg0.json", { server: { ...server, address: "10.8.0.1" }, clients: { a: client } }),
  ];
  expect(read(files)).toMatchObject({ listenPort: 51820, profile: null });
  expect(devices(files)).toEqual([
    ["anna", anna.privateKey, false],
    ["boris", null, true],
  ]);
});

test("WGDashboard: its table names devices, has their keys and traffic, and those that are switched off", () => {
  const row = (name: string, keys: typeof anna, isEnabled: boolean): ServerFilePeer => ({
    ...keys,
    name,
    presharedKey: null,
    allowedIps: ["10.8.0.9/32"],
    isBroken: false,
    isEnabled,
    endsAt: "2026-12-31T00:00:00.000Z",
    traffic: { received: 1, sent: 2 },
  });
  const gone = generateKeyPair();
  const tables: PeerTable[] = [
    { of: "wg1", peers: [row("stranger", anna, true)] },
    { of: "wg0", peers: [row("anna", anna, true), row("boris", boris, false), row("removed by hand", gone, true)] },
  ];
  const server = partOf(conf(own + peer(anna, 2, "#Name# = old\n") + peer(vera, 4, "#Name# = vera\n")));
  const { peers } = joinParts([{ name: "db", kind: "tables", tables }, server]);
  expect(peers).toMatchObject([
    { name: "anna", privateKey: anna.privateKey, allowedIps: ["10.8.0.2/32"], traffic: { sent: 2 } },
    { name: "vera", privateKey: null },
    { name: "boris", isEnabled: false, endsAt: "2026-12-31T00:00:00.000Z" },
  ]);
});

test("AmneziaVPN: the container's table names devices and has their traffic", () => {
  const table = [
    { clientId: anna.publicKey, userData: { clientName: "Anna's", dataReceived: "1 KiB", dataSent: "0 B" } },
  ];
  const { peers } = read([conf(own + peer(anna, 2)), { name: "clientsTable", text: JSON.stringify(table) }]);
  expect(peers).toMatchObject([{ name: "Anna's", traffic: { received: 1024, sent: 0 } }]);
});

test("one file is as good as ever, and another device's file changes nothing", () => {
  const alone = conf(own + peer(anna, 2, "# anna\n"));
  expect(read([alone])).toEqual(
    read([alone, { name: "vera.conf", text: deviceFile(vera).replace("DNS = 9.9.9.9\n", "") }]),
  );
});

test.each<[string, NamedText[], [string, string, string | null]]>([
  ["no file of a server", [{ name: "anna.conf", text: deviceFile(anna) }], ["no_server", "", null]],
  [
    "two interfaces",
    [conf(own), { name: "wg1.conf", text: own.replace(server.privateKey, vera.privateKey) }],
    ["several", "etc/wireguard/wg0.conf, wg1.conf", null],
  ],
  ["text of nobody's", [conf(own), { name: "notes.txt", text: "hello" }], ["unreadable", "", "notes.txt"]],
  ["a broken line", [conf(own.replace(server.privateKey, "x"))], ["line", "2", "etc/wireguard/wg0.conf"]],
  ["broken JSON", [{ name: "wg0.json", text: "{" }], ["unreadable", "", "wg0.json"]],
  ["wireguard-ui's without its key", wireguardUi().slice(1), ["missing", "server/keypair.json", null]],
  ["wireguard-ui's without its interface", wireguardUi().slice(0, 1), ["missing", "server/interfaces.json", null]],
])("%s is refused by file and field", (_, files, expected) => {
  expect(failure(() => read(files))).toEqual(expected);
});

test.each(wireguardUi().map(({ name, text }) => [name, text] as const))(
  "no value in %s makes reading fail otherwise",
  (name, text) => {
    const whole = JSON.parse(text) as Record<string, unknown>;
    const others = wireguardUi().filter((each) => each.name !== name);
    for (const field of Object.keys(whole))
      for (const value of [null, 7, "", "\n[Peer]\n", [], [null], {}, { toString: 1 }, "x".repeat(1_000)]) {
        const said = failure(() => read([...others, json(name, { ...whole, [field]: value })]));
        expect(JSON.stringify(said)).toMatch(/^\{"privateKey"|^\["(?:unreadable|missing|no_server)/);
      }
  },
);
