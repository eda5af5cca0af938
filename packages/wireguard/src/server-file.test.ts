import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amneziaFieldsOf, amneziaValue } from "./amneziawg.ts";
import { amneziaLines } from "./amneziawg-text.ts";
import { anyGenerated } from "./arbitraries.ts";
import { NO_PRESHARED_KEY } from "./key-text.ts";
import { generateKeyPair, generatePresharedKey } from "./keys.ts";
import { ServerFileError } from "./server-file.ts";
import { parseWgEasy } from "./wg-easy-file.ts";
import { parseWgQuick } from "./wg-quick-file.ts";

const server = generateKeyPair();
const [anna, boris, vera] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const psk = generatePresharedKey();

const read = (text: string) => (text.startsWith("{") ? parseWgEasy(text) : parseWgQuick(text));
const failure = (text: string) => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ServerFileError) return [error.reason, error.at];
    throw error;
  }
  return null;
};
/** What a fork of wg-easy 14 stores. */
const wgEasy = (parameters: object) =>
  JSON.stringify({ server: { ...server, address: "10.8.0.1", ...parameters }, clients: {} });
const sound = { isBroken: false, endsAt: null };
const interfaceLines = `[Interface]\nPrivateKey = ${server.privateKey}\nAddress = 10.8.0.1/24\n`;

test.each(["\r\n", "\n", "\r"])(
  "a wg-quick server file whose lines end in %j gives its whole interface, all its peers, and what is left behind",
  (end) => {
    const file = read(
      [
        `[Interface]`,
        `Address = 10.8.0.1/24, fd00::1/64`,
        `ListenPort = 51820 # as always`,
        `PrivateKey = ${server.privateKey}`,
        `MTU = 1380`,
        `PostUp = iptables -A FORWARD -i %i -j ACCEPT`,
        `PostUp = iptables -t nat -A POSTROUTING -j MASQUERADE`,
        `SaveConfig = false`,
        `### Client anna`,
        `[Peer]`,
        `PublicKey = ${anna.publicKey}`,
        `PresharedKey = ${psk}`,
        `AllowedIPs = 10.8.0.2/32,fd00::2/128`,
        ``,
        `[peer]`,
        `# Name = Boris' phone`,
        `publickey=${boris.publicKey}`,
        `PresharedKey = ${NO_PRESHARED_KEY}`,
        `AllowedIPs = 10.8.0.3`,
        `PersistentKeepalive = 25`,
        `[Peer]`,
        `PublicKey = ${vera.publicKey}`,
        `AllowedIPs = 10.8.0.4/32`,
      ].join(end),
    );
    const peer = { presharedKey: null, privateKey: null, isBroken: false, isEnabled: true, endsAt: null };
    expect(file).toEqual({
      ...server,
      addresses: ["10.8.0.1/24", "fd00::1/64"],
      listenPort: 51820,
      mtu: 1380,
      profile: null,
      mayBePlain: false,
      ignored: ["PostUp", "SaveConfig"],
      unread: [],
      peers: [
        {
          ...peer,
          name: "anna",
          publicKey: anna.publicKey,
          presharedKey: psk,
          allowedIps: ["10.8.0.2/32", "fd00::2/128"],
        },
        { ...peer, name: "Boris' phone", publicKey: boris.publicKey, allowedIps: ["10.8.0.3/32"] },
        { ...peer, name: null, publicKey: vera.publicKey, allowedIps: ["10.8.0.4/32"] },
      ],
    });
  },
);

const peerLines = (who: { publicKey: string }, ips: string) =>
  `[Peer]\nPublicKey = ${who.publicKey}\nAllowedIPs = ${ips}\n`;
const unread = (text: string) => read(text).unread.map(({ line, field }) => [line, field]);

test("wg-easy's file has the devices' own keys, but not its port", () => {
  const file = read(
    JSON.stringify({
      server: { ...server, address: "10.8.0.1" },
      clients: {
        "5b0e1a52": { name: "anna", address: "10.8.0.2", ...anna, preSharedKey: psk, enabled: true },
        "7c1f2b63": { name: "boris", address: "10.8.0.3", ...boris, preSharedKey: "", enabled: false },
      },
    }),
  );
  expect(file).toEqual({
    ...server,
    addresses: ["10.8.0.1/24"],
    listenPort: null,
    mtu: null,
    profile: null,
    mayBePlain: false,
    ignored: [],
    unread: [],
    peers: [
      { ...sound, name: "anna", ...anna, presharedKey: psk, allowedIps: ["10.8.0.2/32"], isEnabled: true },
      { ...sound, name: "boris", ...boris, presharedKey: null, allowedIps: ["10.8.0.3/32"], isEnabled: false },
    ],
  });
});

test.each([
  ["", "unreadable", ""],
  ["hello", "unreadable", ""],
  ["{", "unreadable", ""],
  ["{}", "unreadable", ""],
  ['{"server":{},"clients":{}}', "missing", "server.privateKey"],
  ["[Interface]\nAddress = 10.8.0.1/24", "missing", "PrivateKey"],
  ["[Interface]\nPrivateKey = nonsense\nAddress = 10.8.0.1/24", "line", "2"],
  [`${interfaceLines}Jc = 4\nJ1 = <b 0xff>\nitime = 60`, "outdated", "J1, itime"],
  [`${interfaceLines}Jc = 4\nS1 = 65536`, "line", "5"],
  [`${interfaceLines}HeaderProtectionKey = ${"A".repeat(42)}`, "line", "4"],
  [`${interfaceLines}RandomTrailers = 2`, "line", "4"],
  [wgEasy({ jc: 4, s1: "many" }), "missing", "server.s1"],
])("what cannot be read is reported by place and never quoted: %#", (text, reason, at) => {
  expect(failure(text)).toEqual([reason, at]);
});

describe("what the interface does not need is omitted and reported by its line", () => {
  test.each([
    ["ListenPort = 0", [[4, "ListenPort"]]],
    ["MTU =", [[4, "MTU"]]],
    ["nonsense", [[4, ""]]],
    ["Address = fd00::x/64, 10.8.0.1/24", [[4, "Address"]]],
    ["I1 = <b 0xf6ab><c><t>", [[4, "I1"]]],
    ["I1 = <b f6ab>", [[4, "I1"]]],
    [`[Peer]\nAllowedIPs = 10.8.0.2/32`, [[4, "PublicKey"]]],
    [`[Peer]\nPublicKey = broken\nAllowedIPs = 10.8.0.2/32`, [[5, "PublicKey"]]],
    [peerLines(anna, "/32"), [[6, "AllowedIPs"]]],
    [peerLines(anna, "10.8.0.2/"), [[6, "AllowedIPs"]]],
    [peerLines(anna, "10.8.0.02/32"), [[6, "AllowedIPs"]]],
    [`${peerLines(anna, "10.8.0.2")}PresharedKey = broken`, [[7, "PresharedKey"]]],
  ])("%j", (lines, expected) => {
    expect(unread(interfaceLines + lines)).toEqual(expected);
    expect(read(`${interfaceLines}${lines}\n${peerLines(boris, "10.8.0.3")}`).peers.at(-1)).toMatchObject({
      publicKey: boris.publicKey,
      isBroken: false,
    });
  });

  test("text before the first section belongs to no section", () => {
    expect(unread(`\0\nMTU = 1280\n${interfaceLines}`)).toEqual([
      [1, ""],
      [2, ""],
    ]);
  });

  test("a broken peer is marked, all of them at once", () => {
    const { peers, unread } = read(interfaceLines + peerLines(anna, "/32") + peerLines(boris, "10.8.0.300"));
    expect(peers.map(({ isBroken }) => isBroken)).toEqual([true, true]);
    expect(unread).toHaveLength(2);
  });

  test("one bad client of wg-easy's file is marked, and another device's key is not its own", () => {
    const clients = {
      a: { name: "anna", address: "10.8.0.2", ...anna },
      b: { name: "boris", address: "10.8.0.3", publicKey: "broken" },
      c: { name: "vera", address: "no", ...vera, privateKey: anna.privateKey },
      d: null,
    };
    const file = read(JSON.stringify({ server: { ...server, address: "10.8.0.1" }, clients }));
    expect(file.peers).toMatchObject([
      { name: "anna", isBroken: false, privateKey: anna.privateKey },
      { name: "vera", isBroken: true, privateKey: null },
    ]);
    expect(file.unread.map(({ field }) => field)).toEqual([
      "clients.b.publicKey",
      "clients.c.address",
      "clients.d.publicKey",
    ]);
  });
});

describe("as in WireGuard the last one wins", () => {
  test("of two lines of one field, and over several sections of the interface", () => {
    const other = generateKeyPair();
    const file = read(
      `${interfaceLines}ListenPort = 1\nListenPort = 2\nJc = 4\nJmin = 5\nJmax = 9\njc = 6\n[Interface]\nPrivateKey = ${other.privateKey}\n`,
    );
    expect(file).toMatchObject({ listenPort: 2, publicKey: other.publicKey, profile: { parameters: { jc: "6" } } });
  });

  test("of two peers with one key, keeping the preshared key that only the earlier one has", () => {
    const { peers } = read(
      `${interfaceLines}# anna\n${peerLines(anna, "10.8.0.2, 10.8.0.9")}PresharedKey = ${psk}\n${peerLines(boris, "10.8.0.3")}${peerLines(anna, "10.8.0.7")}`,
    );
    expect(peers).toMatchObject([
      { name: "anna", publicKey: anna.publicKey, allowedIps: ["10.8.0.7/32"], presharedKey: psk },
      { publicKey: boris.publicKey },
    ]);
  });

  test("and a disabled one gives way to an enabled one, wherever it is", () => {
    const off = peerLines(anna, "10.8.0.7").replace(/^(?=.)/gm, "#[disabled] ");
    for (const text of [off + peerLines(anna, "10.8.0.2"), peerLines(anna, "10.8.0.2") + off])
      expect(read(interfaceLines + text).peers).toMatchObject([{ isEnabled: true, allowedIps: ["10.8.0.2/32"] }]);
  });
});

test("spaces inside names, keys and networks are ignored, as by wg", () => {
  const spaced = (key: string) => `${key.slice(0, 7)} \t${key.slice(7)}`;
  const { publicKey, addresses, peers } = read(
    `[ Inter face ]\nPrivate Key = ${spaced(server.privateKey)}\nAddress = 10.8.0.1/24 fd00::1/64\n` +
      `[ Pe er ]\nPublic Key = ${spaced(anna.publicKey)}\nPreshared Key = ${spaced(psk)}\nAllowed IPs = 10.8. 0.2 / 32 , fd00::2\n`,
  );
  expect({ publicKey, addresses }).toEqual({ publicKey: server.publicKey, addresses: ["10.8.0.1/24", "fd00::1/64"] });
  expect(peers).toMatchObject([
    { ...sound, publicKey: anna.publicKey, presharedKey: psk, allowedIps: ["10.8.0.2/32", "fd00::2/128"] },
  ]);
});

test("a peer that PiVPN switched off is listed as off, with its name", () => {
  const off = `### begin anna ###\n${peerLines(anna, "10.8.0.2")}### end anna ###\n`.replace(
    /^(?=.)/gm,
    "#[disabled] ",
  );
  const { peers } = read(
    `${interfaceLines}${off}### begin boris ###\n${peerLines(boris, "10.8.0.3")}### end boris ###\n`,
  );
  expect(peers).toMatchObject([
    { name: "anna", isEnabled: false, allowedIps: ["10.8.0.2/32"] },
    { name: "boris", isEnabled: true },
  ]);
});

test("a device's file is reported as that", () => {
  const device = `${interfaceLines}DNS = 1.1.1.1\n${peerLines(anna, "0.0.0.0/0")}Endpoint = vpn.example.org:51820\n`;
  expect(failure(device)).toEqual(["device", ""]);
  const saved = device.replace("DNS", "ListenPort = 51820\nDNS");
  expect(failure(saved), "one that saved its running state").toEqual(["device", ""]);
  expect(failure(saved + peerLines(boris, "10.8.0.3")), "a server that also calls another").toBeNull();
  expect(failure(saved.replace("0.0.0.0/0", "192.168.5.0/24")), "a server between sites").toBeNull();
});

test("an address without a prefix is one host, and a file may have none", () => {
  expect(read(`[Interface]\nPrivateKey = ${server.privateKey}\nAddress = 10.8.0.1\n`).addresses).toEqual([
    "10.8.0.1/32",
  ]);
  expect(read(`[Interface]\nPrivateKey = ${server.privateKey}\n`).addresses).toEqual([]);
});

describe("AmneziaWG", () => {
  const written = (lines: readonly string[]) => read(`${interfaceLines}${lines.join("\n")}\n`).profile;

  test("a profile is read as it was written, in any spelling of its keys", () => {
    fc.assert(
      fc.property(anyGenerated, fc.func(fc.boolean()), (profile, isLower) => {
        const lines = amneziaLines(profile).map(
          ({ field, text }) => `${isLower(field.key) ? field.key.toLowerCase() : field.key} = ${text}`,
        );
        const all = amneziaFieldsOf(profile.version).map(({ name }) => [name, amneziaValue(profile, name)]);
        expect(written(lines)).toEqual({ version: profile.version, parameters: Object.fromEntries(all) });
      }),
    );
  });

  test("fields that a 1.0 file lacks are zero, and it gets the first version that has all of its fields", () => {
    const first = [
      "Jc = 4",
      "Jmin = 10",
      "Jmax = 50",
      "S1 = 86",
      "S2 = 57",
      "H1 = 11",
      "H2 = 12",
      "H3 = 13",
      "H4 = 14",
    ];
    expect(written(first)).toMatchObject({
      version: "2.0",
      parameters: { jc: "4", s3: "0", s4: "0", h4: "14", i1: "" },
    });
    expect(written([...first, "RandomTrailers = off"])).toMatchObject({ version: "2.0" });
    expect(written([...first, "RekeyTimeout = 3-7"])).toMatchObject({ version: "3.1" });
  });

  test.each([[[]], [["Jc = 0", "S1 = 0", "H1 = 1", "H2 = 2", "H3 = 3", "H4 = 4", "I1 ="]]])(
    "with nothing but WireGuard's own values it is WireGuard: %j",
    (lines) => expect(written(lines)).toBeNull(),
  );

  test("wg-easy's forks store it as numbers and words next to the key", () => {
    const parameters = { jc: 7, jmin: "10", jmax: 1000, s1: 128, s2: 56, h1: "5", h2: 6, h3: "7-9", h4: 10, i1: null };
    const { profile, mayBePlain } = read(wgEasy({ ...parameters, headers: "no field" }));
    expect(profile).toMatchObject({
      version: "2.0",
      parameters: { jc: "7", jmax: "1000", h2: "6", h3: "7-9", i1: "" },
    });
    expect(mayBePlain).toBe(false);
  });
});

test("any text is read or refused", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void failure(text)));
  fc.assert(fc.property(fc.string(), (text) => void failure(interfaceLines + text)));
});
