import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrsOverlap, covers, minimalCidrs, requireCidr, wholeFamilies } from "./addresses.ts";
import { anyAddress, anyHost, anyNetwork, anyPresharedKey, anyPrivateKey, anyPublicKey } from "./arbitraries.ts";
import {
  allowedIpsFor,
  type ClientConfig,
  ConfigTextError,
  parseConfig,
  resolversFor,
  writeConfig,
} from "./config-text.ts";
import { NO_PRESHARED_KEY, type PresharedKey, type PrivateKey, type PublicKey } from "./key-text.ts";

const PRIVATE = "4B4xlCvmmSqR5QlPw1Hqei+G9G2vZXe6aS3f7ed+9l8=" as PrivateKey;
const PUBLIC = "3lORkaC3m5UNczoqQhgX5h25Ehavn8bvTrejASJRNl0=" as PublicKey;
const PRESHARED = "NMzsOtIVPNnG+iF+dxnp+fWWp0Gp62scT34it5qStQM=" as PresharedKey;

const phone: ClientConfig = {
  privateKey: PRIVATE,
  addresses: ["10.8.0.7/32", "fd00::7/128"],
  dns: ["1.1.1.1", "2606:4700:4700::1111"],
  mtu: 1280,
  peer: {
    publicKey: PUBLIC,
    presharedKey: PRESHARED,
    allowedIps: ["0.0.0.0/0", "::/0"],
    endpoint: { host: "vpn.example.org", port: 51820 },
    persistentKeepalive: 25,
  },
};

const phoneText = `[Interface]
PrivateKey = ${PRIVATE}
Address = 10.8.0.7/32, fd00::7/128
DNS = 1.1.1.1, 2606:4700:4700::1111
MTU = 1280

[Peer]
PublicKey = ${PUBLIC}
PresharedKey = ${PRESHARED}
AllowedIPs = 0.0.0.0/0,::/0
Endpoint = vpn.example.org:51820
PersistentKeepalive = 25
`;

const withPeer = (peer: Partial<ClientConfig["peer"]>): ClientConfig => ({
  ...phone,
  peer: { ...phone.peer, ...peer },
});

const anyEndpoint = fc.record({
  host: fc.oneof(anyAddress, fc.domain(), fc.constant("vpn-1.example.org")),
  port: fc.integer({ min: 1, max: 65535 }),
});
const anyConfig: fc.Arbitrary<ClientConfig> = fc.record({
  privateKey: fc.option(anyPrivateKey),
  addresses: fc.array(anyHost, { minLength: 1, maxLength: 4 }),
  dns: fc.array(anyAddress, { maxLength: 4 }),
  mtu: fc.option(fc.integer({ min: 576, max: 65535 })),
  peer: fc.record({
    publicKey: anyPublicKey,
    presharedKey: fc.option(anyPresharedKey),
    allowedIps: fc.array(anyNetwork, { minLength: 1, maxLength: 30 }),
    endpoint: anyEndpoint,
    persistentKeepalive: fc.option(fc.integer({ min: 1, max: 65535 })),
  }),
});

describe("a member's file", () => {
  test("is a wg-quick text, its AllowedIPs without spaces", () => {
    expect(writeConfig(phone)).toBe(phoneText);
  });

  test("omits absent fields; a key made in the browser leaves no line and no placeholder", () => {
    const bare = {
      ...withPeer({ presharedKey: null, persistentKeepalive: null }),
      privateKey: null,
      dns: [],
      mtu: null,
    };
    expect(writeConfig(bare)).toBe(`[Interface]
Address = 10.8.0.7/32, fd00::7/128

[Peer]
PublicKey = ${PUBLIC}
AllowedIPs = 0.0.0.0/0,::/0
Endpoint = vpn.example.org:51820
`);
  });

  test("writes an IPv6 endpoint in brackets", () => {
    const text = writeConfig(withPeer({ endpoint: { host: "2001:db8::1", port: 443 } }));
    expect(text).toContain("\nEndpoint = [2001:db8::1]:443\n");
  });

  test("reads back as exactly what was written", () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        expect(parseConfig(writeConfig(config))).toEqual(config);
      }),
      { numRuns: 300 },
    );
  });

  test("never gains a line, whatever text replaces a value", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\nPostUp = reboot",
        "\r\n[Peer]",
        "\u2028x",
        "\0",
        "\t",
        "a\nb",
        "1.1.1.1\n",
        " 10.8.0.7/32",
        "#",
        ",",
      ),
      fc
        .tuple(fc.constantFrom("10.8.0.7/32", PRIVATE, "vpn.example.org"), fc.string())
        .map(([good, tail]) => good + tail),
    );
    const places: ((text: string) => ClientConfig)[] = [
      (text) => ({ ...phone, privateKey: text as PrivateKey }),
      (text) => ({ ...phone, addresses: [text] }),
      (text) => ({ ...phone, dns: ["1.1.1.1", text] }),
      (text) => ({ ...phone, mtu: text as unknown as number }),
      (text) => withPeer({ publicKey: text as PublicKey }),
      (text) => withPeer({ presharedKey: text as PresharedKey }),
      (text) => withPeer({ allowedIps: ["10.0.0.0/8", text] }),
      (text) => withPeer({ endpoint: { host: text, port: 51820 } }),
      (text) => withPeer({ endpoint: { host: "vpn.example.org", port: text as unknown as number } }),
      (text) => withPeer({ persistentKeepalive: text as unknown as number }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...places), hostile, (place, text) => {
        let written: string;
        try {
          written = writeConfig(place(text));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigTextError);
          return;
        }
        expect(written.split("\n").length).toBe(phoneText.split("\n").length);
        expect(written).toMatch(/^[\x20-\x7e\n]*$/);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["a private key that is a placeholder", { ...phone, privateKey: "<your key>" as PrivateKey }],
    ["no address", { ...phone, addresses: [] }],
    ["an invalid address", { ...phone, addresses: ["10.8.0.300/32"] }],
    ["a resolver with a prefix", { ...phone, dns: ["1.1.1.1/32"] }],
    ["a resolver given by name", { ...phone, dns: ["dns.example"] }],
    ["an MTU too small to send anything", { ...phone, mtu: 100 }],
    ["half an MTU", { ...phone, mtu: 1280.5 }],
    ["zeros as preshared key", withPeer({ presharedKey: NO_PRESHARED_KEY as PresharedKey })],
    ["zeros as public key", withPeer({ publicKey: NO_PRESHARED_KEY as PublicKey })],
    ["nothing to route", withPeer({ allowedIps: [] })],
    ["a keepalive beyond 16 bits", withPeer({ persistentKeepalive: 65536 })],
    ["port 0", withPeer({ endpoint: { host: "vpn.example.org", port: 0 } })],
  ])("is not written with %s", (_, config) => {
    expect(() => writeConfig(config)).toThrow(ConfigTextError);
  });
});

describe("reading a file", () => {
  test.each(["\r\n", "\n", "\r"])(
    "key case, comments, blanks, lines that end in %j, a byte order mark and lists over several lines change nothing",
    (end) => {
      const text = `\uFEFF# phone
  [INTERFACE]
privatekey=${PRIVATE} # mine
ADDRESS = 10.8.0.7 
Address =fd00:0::7/128
dns= 1.1.1.1
DNS = 2606:4700:4700:0::1111   
mtu = 1280

[peer]
\tAllowedIPs = 0.0.0.0/0
allowedips = ::/0 #all
PublicKey = ${PUBLIC}
PresharedKey = ${PRESHARED}
Endpoint = vpn.example.org:51820
PersistentKeepalive = 25`;
      expect(parseConfig(text.replaceAll("\n", end))).toEqual(phone);
    },
  );

  test("an address keeps its host bits, a network loses them", () => {
    const config = parseConfig(phoneText.replace("10.8.0.7/32", "10.8.0.7/24").replace("0.0.0.0/0", "10.1.2.3/8"));
    expect(config.addresses[0]).toBe("10.8.0.7/24");
    expect(config.peer.allowedIps[0]).toBe("10.0.0.0/8");
  });

  test.each([
    ["PersistentKeepalive = off", "PersistentKeepalive = 25", { persistentKeepalive: null }],
    ["PersistentKeepalive = 0", "PersistentKeepalive = 25", { persistentKeepalive: null }],
    [`PresharedKey = ${NO_PRESHARED_KEY}`, `PresharedKey = ${PRESHARED}`, { presharedKey: null }],
  ])("%s means absent", (line, instead, peer) => {
    expect(parseConfig(phoneText.replace(instead, line))).toEqual(withPeer(peer));
  });

  test.each<[string, number | null, (text: string) => string]>([
    ["a key before any section", 1, (text) => `MTU = 1280\n${text}`],
    ["an unknown section", 1, (text) => text.replace("[Interface]", "[Network]")],
    ["a line without a value", 5, (text) => text.replace("MTU = 1280", "MTU")],
    ["a key of the other section", 5, (text) => text.replace("MTU = 1280", `PublicKey = ${PUBLIC}`)],
    ["a command to run", 5, (text) => text.replace("MTU = 1280", "PostUp = reboot")],
    ["a second private key", 3, (text) => text.replace("Address", `PrivateKey = ${PRIVATE}\nAddress`)],
    ["a second peer", 13, (text) => `${text}[Peer]\nPublicKey = ${PUBLIC}\n`],
    ["an invalid private key", 2, (text) => text.replace(PRIVATE, "AAAA")],
    ["an invalid address", 3, (text) => text.replace("10.8.0.7/32", "10.8.0.7/33")],
    ["an empty entry in a list", 4, (text) => text.replace("1.1.1.1, ", "1.1.1.1,, ")],
    ["an empty list", 4, (text) => text.replace(/DNS = .*/, "DNS =")],
    ["an MTU in another notation", 5, (text) => text.replace("1280", "1e3")],
    ["an invalid public key", 8, (text) => text.replace(PUBLIC, `${PUBLIC.slice(0, 42)}9=`)],
    ["an invalid network", 10, (text) => text.replace("0.0.0.0/0", "all")],
    ["an endpoint without a port", 11, (text) => text.replace("org:51820", "org")],
    ["a keepalive out of range", 12, (text) => text.replace("25\n", "70000\n")],
    ["no address", null, (text) => text.replace(/Address.*\n/, "")],
    ["no public key", null, (text) => text.replace(/PublicKey.*\n/, "")],
    ["no endpoint", null, (text) => text.replace(/Endpoint.*\n/, "")],
    ["empty text", null, () => ""],
  ])("%s is refused, with its line", (_, line, spoil) => {
    expect(spoil(phoneText)).not.toBe(phoneText);
    const error = refusalOf(() => parseConfig(spoil(phoneText)));
    expect(error).toBeInstanceOf(ConfigTextError);
    expect((error as ConfigTextError).line).toBe(line);
  });

  test("a refusal never repeats a key", () => {
    const almost = `${PRIVATE.slice(0, 42)}9=`;
    expect(String(refusalOf(() => parseConfig(phoneText.replace(PRIVATE, almost))))).not.toContain(almost.slice(0, 8));
  });

  test("any text either parses or is refused with a ConfigTextError", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom("[Interface]\n", "[Peer]\n", "Address = ", "=", "#", "\n", ...phoneText.split(/(?<=\n)/)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const error = refusalOf(() => parseConfig(pieces.join("")));
        if (error !== null) expect(error).toBeInstanceOf(ConfigTextError);
      }),
      { numRuns: 500 },
    );
  });
});

describe("AllowedIPs of a config", () => {
  test.each([
    ["are the services' addresses as networks", ["10.1.2.3", "fd00::1"], [], ["10.1.2.3/32", "fd00::1/128"]],
    ["merge what touches or overlaps", ["10.0.0.0/9", "10.128.0.0/9", "10.1.2.3"], [], ["10.0.0.0/8"]],
    ["take in a resolver the services don't cover", ["10.0.0.0/8"], ["1.1.1.1"], ["1.1.1.1/32", "10.0.0.0/8"]],
    ["leave out a resolver the services cover", ["1.0.0.0/8"], ["1.1.1.1"], ["1.0.0.0/8"]],
    ["are everything when a service is everything", ["0.0.0.0/0", "8.8.8.8"], ["1.1.1.1"], ["0.0.0.0/0"]],
  ])("%s", (_, services, dns, expected) => {
    expect(allowedIpsFor(services, dns, [])).toEqual(expected);
  });

  test.each([
    ["leave out the server's address", ["203.0.113.4/30"], ["203.0.113.4/32", "203.0.113.6/31"]],
    ["leave it out of a resolver too", ["10.0.0.0/8", "203.0.113.5"], ["10.0.0.0/8"]],
    ["leave out its IPv6 address", ["2001:db8::4/127", "10.0.0.0/8"], ["10.0.0.0/8", "2001:db8::4/128"]],
    [
      "say all of IPv4 and leave that out of IPv6",
      ["0.0.0.0/1", "128.0.0.0/1", "2001:db8::4/127"],
      ["0.0.0.0/0", "2001:db8::4/128"],
    ],
    ["are nothing when the server is all there was", ["203.0.113.5"], []],
  ])("%s", (_, services, expected) => {
    expect(allowedIpsFor(services, [], ["203.0.113.5", "2001:db8::5"])).toEqual(expected);
  });

  test("of one half of the world contain everything in it but the server, in 31 networks", () => {
    const half = allowedIpsFor(["128.0.0.0/1"], [], ["203.0.113.5"]);
    expect(half).toHaveLength(31);
    expect(covers(half, "203.0.113.5")).toBe(false);
    expect(minimalCidrs([...half, "203.0.113.5"])).toEqual(["128.0.0.0/1"]);
  });

  test("never contain an address of the server but everything else, unless they are a whole family", () => {
    fc.assert(
      fc.property(
        fc.array(anyHost, { maxLength: 20 }),
        fc.array(anyAddress, { maxLength: 4 }),
        fc.array(anyAddress, { maxLength: 4 }),
        (services, serverIps, others) => {
          const allowed = allowedIpsFor([...services, ...serverIps], others, serverIps);
          const whole = wholeFamilies([...services, ...others]);
          for (const address of serverIps)
            expect(covers(allowed, address)).toBe(whole.includes(requireCidr(address).family));
          const same = (address: string) => serverIps.some((server) => cidrsOverlap(server, address));
          expect(others.every((address) => same(address) || covers(allowed, address))).toBe(true);
        },
      ),
    );
  });

  test("always cover every service and every resolver", () => {
    fc.assert(
      fc.property(fc.array(anyHost, { maxLength: 20 }), fc.array(anyAddress, { maxLength: 3 }), (services, dns) => {
        const allowed = allowedIpsFor(services, dns, []);
        expect([...services, ...dns].every((address) => covers(allowed, address))).toBe(true);
      }),
    );
  });
});

describe("a device asks", () => {
  const [v4, v6] = ["1.1.1.1", "2606:4700:4700::1111"];
  const [only, both] = [["10.8.0.7/32"], ["10.8.0.7/32", "fd00::7/128"]];
  test.each([
    ["resolvers of both families in their order, if it has both", [v4, v6], both, "vpn.example.org", [v4, v6]],
    ["those of IPv6 first, if its server is reached at an IPv6 address", [v4, v6], both, "2001:db8::1", [v6, v4]],
    ["none of a family that it does not have", [v6, v4], only, "2001:db8::1", [v4]],
    ["what there is, if that would leave none", [v6], only, "203.0.113.5", [v6]],
  ])("%s", (_, dns, addresses, endpoint, expected) => {
    expect(resolversFor(dns, addresses, endpoint)).toEqual(expected);
  });
});

function refusalOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
}
