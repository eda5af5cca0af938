import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amneziaFieldsOf, amneziaValue } from "./amneziawg.ts";
import { amneziaLines } from "./amneziawg-text.ts";
import { anyGenerated } from "./arbitraries.ts";
import { generateKeyPair, generatePresharedKey, NO_PRESHARED_KEY } from "./keys.ts";
import { parseServerFile, ServerFileError } from "./server-file.ts";

const server = generateKeyPair();
const [anna, boris, vera] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const psk = generatePresharedKey();

const failure = (text: string) => {
  try {
    parseServerFile(text);
  } catch (error) {
    if (error instanceof ServerFileError) return [error.reason, error.at];
    throw error;
  }
  return null;
};
/** What a fork of wg-easy 14 keeps. */
const wgEasy = (parameters: object) =>
  JSON.stringify({ server: { ...server, address: "10.8.0.1", ...parameters }, clients: {} });
const interfaceLines = `[Interface]\nPrivateKey = ${server.privateKey}\nAddress = 10.8.0.1/24\n`;

test("a wg-quick server file says all that its interface and its peers are, and what is left behind", () => {
  const file = parseServerFile(
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
    ].join("\r\n"),
  );
  const peer = { presharedKey: null, privateKey: null, isEnabled: true };
  expect(file).toEqual({
    ...server,
    addresses: ["10.8.0.1/24", "fd00::1/64"],
    listenPort: 51820,
    mtu: 1380,
    profile: null,
    mayBePlain: false,
    ignored: ["PostUp", "SaveConfig"],
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
});

test.each([
  ["### Client anna", "anna"],
  ["### begin anna ###", "anna"],
  ["# Client: anna (5b0e1a52-33c7-4b52-8b4f-4a8b3c1f0d2e)", "anna"],
  ["# Client: anna (7)", "anna"],
  ["# Client: Anna (phone) (7)", "Anna (phone)"],
  ["# friendly_name = anna", "anna"],
  ["#_Name = anna", "anna"],
  ["# anna (2)", "anna (2)"],
  ["# anna's laptop", "anna's laptop"],
  ["### end boris ###", null],
])("a peer's name is read from '%s'", (comment, name) => {
  const text = `${interfaceLines}${comment}\n[Peer]\nPublicKey = ${anna.publicKey}\nAllowedIPs = 10.8.0.2/32\n`;
  expect(parseServerFile(text).peers[0]?.name).toBe(name);
});

test("wg-easy's file has the devices' own keys, and not its port", () => {
  const file = parseServerFile(
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
    peers: [
      { name: "anna", ...anna, presharedKey: psk, allowedIps: ["10.8.0.2/32"], isEnabled: true },
      { name: "boris", ...boris, presharedKey: null, allowedIps: ["10.8.0.3/32"], isEnabled: false },
    ],
  });
});

test.each([
  ["", "unreadable", ""],
  ["hello", "unreadable", ""],
  ["{", "unreadable", ""],
  ["{}", "unreadable", ""],
  ['{"server":{},"clients":{}}', "missing", "server.privateKey"],
  [`{"server":{"privateKey":"${server.privateKey}","address":"no"},"clients":{}}`, "missing", "server.address"],
  [`[Interface]\nPrivateKey = ${server.privateKey}`, "missing", "Address"],
  ["[Interface]\nAddress = 10.8.0.1/24", "missing", "PrivateKey"],
  ["[Interface]\nPrivateKey = nonsense\nAddress = 10.8.0.1/24", "line", "2"],
  [`${interfaceLines}ListenPort = 0`, "line", "4"],
  [`${interfaceLines}[Interface]`, "line", "4"],
  [`${interfaceLines}[Peer]\nAllowedIPs = 10.8.0.2/32`, "line", "4"],
  [`${interfaceLines}[Peer]\nPublicKey = ${anna.publicKey}\nAllowedIPs = 10.8.0.x`, "line", "6"],
  [`${interfaceLines}Jc = 4\nJ1 = <b 0xff>\nitime = 60`, "outdated", "J1, itime"],
  [`${interfaceLines}Jc = 4\nS1 = 65536`, "line", "5"],
  [`${interfaceLines}Jc = 4\njc = 5`, "line", "5"],
  [`${interfaceLines}HeaderProtectionKey = ${"A".repeat(42)}`, "line", "4"],
  [`${interfaceLines}RandomTrailers = 2`, "line", "4"],
  [wgEasy({ jc: 4, s1: "many" }), "missing", "server.s1"],
])("what cannot be read is told by place and never quoted: %#", (text, reason, at) => {
  expect(failure(text)).toEqual([reason, at]);
});

describe("AmneziaWG", () => {
  const written = (lines: readonly string[]) => parseServerFile(`${interfaceLines}${lines.join("\n")}\n`).profile;

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

  test("what a file of 1.0 lacks is zero, and it is of the first version that can say all of it", () => {
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

  test("wg-easy's forks keep it as numbers and words beside the key", () => {
    const parameters = { jc: 7, jmin: "10", jmax: 1000, s1: 128, s2: 56, h1: "5", h2: 6, h3: "7-9", h4: 10, i1: null };
    const { profile, mayBePlain } = parseServerFile(wgEasy({ ...parameters, headers: "no field" }));
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
