import fc from "fast-check";
import { expect, test } from "vitest";
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
  [`${interfaceLines}Jc = 4\nJmin = 40\nH1 = 1`, "obfuscated", "Jc, Jmin, H1"],
])("what cannot be read is told by place and never quoted: %#", (text, reason, at) => {
  expect(failure(text)).toEqual([reason, at]);
});

test("any text is read or refused", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void failure(text)));
  fc.assert(fc.property(fc.string(), (text) => void failure(interfaceLines + text)));
});
