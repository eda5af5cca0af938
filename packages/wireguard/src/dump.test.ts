import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { DumpError, makeDumpParser, parseDump, parseInterfaceDump } from "./dump.ts";
import { generateKeyPair } from "./keys.ts";

// Output of `wg` 1.0.20210914 for a wireguard-go interface; the keys were made for this test.
const PRIVATE = "4B4xlCvmmSqR5QlPw1Hqei+G9G2vZXe6aS3f7ed+9l8=";
const PUBLIC = "3lORkaC3m5UNczoqQhgX5h25Ehavn8bvTrejASJRNl0=";
const FIRST = "HmndhaHPukxGl3GTBRdlSrdhcGIBN/TrOpha+Wu5yw0=";
const SECOND = "n9d8Q00L0BPUS1CN8LUUERYZQNgdVledmY5tlwGZRyc=";
const PRESHARED = "NMzsOtIVPNnG+iF+dxnp+fWWp0Gp62scT34it5qStQM=";
const all = `wgd0\t${PRIVATE}\t${PUBLIC}\t51999\toff
wgd0\t${FIRST}\t${PRESHARED}\t192.0.2.1:444\t10.8.0.2/32,fd00::2/128\t1732153500\t148\t92\t25
wgd0\t${SECOND}\t(none)\t(none)\t(none)\t0\t0\t0\toff
wgd1\t(none)\t(none)\t0\t0x1f
`;
const one = all
  .split("\n")
  .slice(0, 3)
  .map((line) => line.replace("wgd0\t", ""))
  .join("\n");

const first = {
  publicKey: FIRST,
  presharedKey: PRESHARED,
  hasEndpoint: true,
  allowedIps: ["10.8.0.2/32", "fd00::2/128"],
  lastHandshakeAt: 1_732_153_500_000,
  rxBytes: 148,
  txBytes: 92,
  persistentKeepalive: 25,
};
const second = {
  publicKey: SECOND,
  presharedKey: null,
  hasEndpoint: false,
  allowedIps: [],
  lastHandshakeAt: null,
  rxBytes: 0,
  txBytes: 0,
  persistentKeepalive: null,
};
const wgd0 = { name: "wgd0", publicKey: PUBLIC, listenPort: 51999, fwmark: null, peers: [first, second] };

describe("a dump", () => {
  test("of all interfaces gives every field of every interface and peer", () => {
    expect(parseDump(all)).toEqual([wgd0, { name: "wgd1", publicKey: null, listenPort: 0, fwmark: 31, peers: [] }]);
  });

  test("of one interface gives the same", () => {
    expect(parseInterfaceDump("wgd0", one)).toEqual(wgd0);
  });

  test("reveals neither a private key nor where a device connects from", () => {
    const told = JSON.stringify(parseDump(all));
    expect(told).not.toContain(PRIVATE);
    expect(told).not.toContain("192.0.2.1");
  });

  test("of no interface is empty", () => {
    expect(parseDump("")).toEqual([]);
  });

  test("keeps the IPv4-mapped and IPv4-compatible networks that wg writes with dots", () => {
    const text = one.replace("10.8.0.2/32,fd00::2/128", "::ffff:1.2.3.4/128,::1.2.3.0/120");
    expect(parseInterfaceDump("wgd0", text).peers[0]?.allowedIps).toEqual(["::ffff:1.2.3.4/128", "::102:300/120"]);
  });

  test("reads zeros as 'no preshared key'", () => {
    const text = one.replace(PRESHARED, `${"A".repeat(43)}=`);
    expect(parseInterfaceDump("wgd0", text).peers[0]?.presharedKey).toBeNull();
  });

  test("counts up to the kernel's 64 bits", () => {
    const text = one.replace("\t148\t", "\t18446744073709551615\t");
    expect(parseInterfaceDump("wgd0", text).peers[0]?.rxBytes).toBe(2 ** 64);
  });

  test.each([
    ["a cut line", `${FIRST}\t${PRESHARED}\t192.0.2.1:444\t10.8.0.2/32`, 2],
    ["a column too many", `${second.publicKey}\t(none)\t(none)\t(none)\t0\t0\t0\toff\tx`, 2],
    ["an invalid public key", `AAAA\t(none)\t(none)\t(none)\t0\t0\t0\toff`, 2],
    ["an invalid preshared key", `${FIRST}\tsecret\t(none)\t(none)\t0\t0\t0\toff`, 2],
    ["no endpoint column", `${FIRST}\t(none)\t\t(none)\t0\t0\t0\toff`, 2],
    ["an invalid allowed IP", `${FIRST}\t(none)\t(none)\t10.8.0.2/33\t0\t0\t0\toff`, 2],
    ["an empty list of allowed IPs", `${FIRST}\t(none)\t(none)\t\t0\t0\t0\toff`, 2],
    ["a handshake before 1970", `${FIRST}\t(none)\t(none)\t(none)\t-1\t0\t0\toff`, 2],
    ["an invalid counter", `${FIRST}\t(none)\t(none)\t(none)\t0\t1.5\t0\toff`, 2],
    ["a counter beyond 64 bits", `${FIRST}\t(none)\t(none)\t(none)\t0\t0\t99999999999999999999\toff`, 2],
    ["an invalid keepalive", `${FIRST}\t(none)\t(none)\t(none)\t0\t0\t0\ton`, 2],
  ])("with %s is refused, with its line", (_, peer, line) => {
    const head = `${PRIVATE}\t${PUBLIC}\t51999\toff\n`;
    const act = () => parseInterfaceDump("wgd0", head + peer);
    expect(act).toThrow(DumpError);
    expect(act).toThrow(`Line ${line} `);
    expect(act).not.toThrow(/secret/);
  });

  test.each([
    ["nothing in it", "wgd0", ""],
    ["an invalid name", "../wgd0", one],
    ["a port beyond 16 bits", "wgd0", one.replace("51999", "70000")],
    ["an invalid mark", "wgd0", one.replace("\toff", "\t31")],
    ["the interface's line missing", "wgd0", one.split("\n").slice(1).join("\n")],
  ])("of one interface with %s is refused", (_, name, text) => {
    expect(() => parseInterfaceDump(name, text)).toThrow(DumpError);
  });

  test.each([
    ["a peer before its interface", all.split("\n").slice(1).join("\n")],
    ["an interface twice", all + all],
    ["an error message", "Unable to access interface: Operation not permitted\n"],
  ])("of all interfaces with %s is refused", (_, text) => {
    expect(() => parseDump(text)).toThrow(DumpError);
  });
});

test("a peer whose line is unchanged is not parsed again, wherever it moved", () => {
  const parse = makeDumpParser();
  const [[one, other] = [], empty] = parse(all).map(({ peers }) => peers);
  const lines = all.split("\n");
  const swapped = [lines[0], lines[2], lines[1]?.replace("\t148\t", "\t149\t"), ...lines.slice(3)].join("\n");
  const [again, emptyAgain] = parse(swapped);
  expect(again?.peers).toEqual([other, { ...one, rxBytes: 149 }]);
  expect(again?.peers[0]).toBe(other);
  expect([again?.listenPort, emptyAgain?.peers]).toEqual([51_999, empty]);
  expect(parse(all)).toEqual(parseDump(all));
  expect(parse(`${all}`)).toBe(parse(all));
  expect(() => parse(all.replace("192.0.2.1:444\t10.8.0.2/32", "192.0.2.1:444\t10.8.0.256/32"))).toThrow(DumpError);
});

test("unchanged peers do not keep the dumps in memory that they were read from", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const heapMb = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const keys = Array.from({ length: 500 }, () => generateKeyPair().publicKey);
  const parse = makeDumpParser();
  // Each peer moves once, in a dump of its own.
  const dumpAfter = (moved: number) =>
    [`wgd0\t${PRIVATE}\t${PUBLIC}\t51999\toff`]
      .concat(
        keys.map((key, at) => `wgd0\t${key}\t${PRESHARED}\t(none)\t10.8.0.2/32\t0\t${at < moved ? 1 : 0}\t0\toff`),
      )
      .join("\n");
  parse(dumpAfter(0));
  const before = heapMb();
  const dumps = keys.map((_, at) => parse(dumpAfter(at + 1)).length);
  expect(dumps).toHaveLength(500);
  // Together they are 30 MB.
  expect(heapMb() - before).toBeLessThan(5);
});

test("the same lines make the same dump in any order, and other lines do not", () => {
  const parse = makeDumpParser();
  const seen = parse(all);
  const [head = "", one = "", other = "", ...rest] = all.split("\n");
  expect(parse([head, other, one, ...rest].join("\n"))).toBe(seen);
  expect(parse([head, one, ...rest].join("\n"))[0]?.peers).toEqual([first]);
  expect(parse(all)).toEqual(seen);
  expect(parse(all.replace("51999", "52000"))[0]?.listenPort).toBe(52_000);
});

test("a peer that only sends handshakes does not change the dump, and one that carried traffic does", () => {
  const { publicKey } = generateKeyPair();
  const greeter = (endpoint: string, rx: number, allowed = "(none)", handshake = 0) =>
    `wgd0\t${publicKey}\t(none)\t${endpoint}\t${allowed}\t${handshake}\t${rx}\t${rx - 56}\toff\n`;
  const [head = "", ...rest] = all.split("\n");
  const dump = (line: string) => [head, line + rest.join("\n")].join("\n");
  const parse = makeDumpParser();
  const seen = parse(dump(greeter("192.0.2.9:40001", 148)));
  expect(parse(dump(greeter("[2001:db8::9]:40002", 296)))).toBe(seen);
  expect(seen[0]?.peers[0]).toMatchObject({ publicKey, hasEndpoint: false, allowedIps: [], rxBytes: 0, txBytes: 0 });
  expect(seen[0]?.peers.slice(1)).toEqual(parseDump(all)[0]?.peers);
  for (const line of [
    greeter("192.0.2.9:40001", 444, "10.8.0.77/32"),
    greeter("192.0.2.9:40001", 592, "(none)", 1_700_000_000),
  ])
    expect(parse(dump(line))[0]?.peers[0]).toMatchObject({
      hasEndpoint: true,
      rxBytes: line.includes("592") ? 592 : 444,
    });
});
