import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrsOverlap, formatAddress, parseCidr } from "./addresses.ts";
import { addressInV6For, firstFreeAddress, firstFreePort, firstFreeSubnet, nextInterfaceName } from "./free-address.ts";

const hosts = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `10.8.0.${from + at}`);

describe("the first free address", () => {
  test.each([
    ["is .2 in an empty subnet: .0 is the network, .1 the server", "10.8.0.0/24", [], "10.8.0.2"],
    ["also works from the server's own address with prefix", "10.8.0.1/24", [], "10.8.0.2"],
    [
      "is the lowest gap, not the one after the highest",
      "10.8.0.0/24",
      ["10.8.0.2", "10.8.0.3", "10.8.0.5"],
      "10.8.0.4",
    ],
    ["skips addresses written with prefix", "10.8.0.0/24", ["10.8.0.2/32"], "10.8.0.3"],
    ["skips whole networks", "10.8.0.0/24", ["10.8.0.0/28", "10.8.0.16"], "10.8.0.17"],
    ["ignores other subnets and families", "10.8.0.0/24", ["10.9.0.2", "::a08:2", "::/0", "10.7.0.0/24"], "10.8.0.2"],
    ["is the last host before the broadcast address", "10.8.0.0/24", hosts(2, 253), "10.8.0.254"],
    ["is null when the subnet is full", "10.8.0.0/24", hosts(2, 254), null],
    ["is null when a wider network covers it all", "10.8.0.0/24", ["10.0.0.0/8"], null],
    ["is the only one in a /30", "10.8.0.0/30", [], "10.8.0.2"],
    ["is null in a /31, which has no room beside the server", "10.8.0.0/31", [], null],
    ["is null in a /32", "10.8.0.7/32", [], null],
    ["works at the end of the address space", "255.255.255.0/24", [], "255.255.255.2"],
    ["is ::2 in an IPv6 subnet", "fd00::/64", [], "fd00::2"],
    ["does not enumerate a /64", "fd00::/64", ["fd00::/65"], "fd00::8000:0:0:0"],
    ["may be the last one in IPv6, which has no broadcast", "fd00::/126", ["fd00::2"], "fd00::3"],
    ["is null in a full IPv6 subnet", "fd00::/126", ["fd00::2", "fd00::3"], null],
  ])("%s", (_, subnet, taken, expected) => {
    expect(firstFreeAddress(subnet, taken)).toBe(expected);
  });

  test("is never taken, nor the network's, server's or broadcast address, and nothing lower is free", () => {
    const entry = fc
      .tuple(fc.nat(31), fc.constantFrom(32, 32, 32, 31, 30, 29))
      .map(([at, prefix]) => `10.8.0.${at}/${prefix}`);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (taken) => {
        const free = hosts(2, 30).filter((host) => !taken.some((used) => cidrsOverlap(host, used)));
        expect(firstFreeAddress("10.8.0.0/27", taken)).toBe(free[0] ?? null);
      }),
      { numRuns: 500 },
    );
  });

  test("65,000 taken addresses are searched quickly", () => {
    const first = parseCidr("10.8.0.0/16")!.first;
    const taken = Array.from({ length: 65_000 }, (_, at) => formatAddress(4, first + 2n + BigInt(at)));
    const startedAt = performance.now();
    expect(firstFreeAddress("10.8.0.0/16", taken)).toBe("10.8.253.234");
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test.each([["10.8.0.300"], ["10.8.0.2\n"], [""]])("an invalid taken address is refused: %j", (bad) => {
    expect(() => firstFreeAddress("10.8.0.0/24", [bad])).toThrow(RangeError);
    expect(() => firstFreeAddress(bad, [])).toThrow(RangeError);
  });
});

describe("an address's twin in IPv6", () => {
  test.each([
    ["10.8.0.7", "10.8.0.0/24", "fd00:0:0:8::/64", "fd00:0:0:8::7"],
    ["10.8.3.254", "10.8.0.0/16", "fd00::/64", "fd00::3fe"],
    ["10.8.0.7", "10.8.0.1/24", "fd00::1/64", "fd00::7"],
  ])("%s of %s in %s is %s: the same host number", (address, subnet4, subnet6, twin) => {
    expect(addressInV6For(address, subnet4, subnet6)).toBe(twin);
  });

  test.each([
    ["an address of another subnet", "10.9.0.7", "10.8.0.0/24", "fd00::/64"],
    ["an IPv6 subnet that is too small", "10.8.0.200", "10.8.0.0/24", "fd00::/121"],
    ["the families the wrong way round", "fd00::7", "fd00::/64", "10.8.0.0/24"],
    ["an address with a prefix", "10.8.0.7/32", "10.8.0.0/24", "fd00::/64"],
  ])("there is none for %s", (_, address, subnet4, subnet6) => {
    expect(() => addressInV6For(address, subnet4, subnet6)).toThrow(RangeError);
  });
});

describe("a new interface", () => {
  test.each([
    [[], "10.8.0.0/24"],
    [["10.8.0.0/24", "10.8.2.0/24"], "10.8.1.0/24"],
    [["10.8.0.5"], "10.8.1.0/24"],
    [["10.8.0.0/22", "fd00::/64", "192.168.0.0/16"], "10.8.4.0/24"],
    [["10.0.0.0/8"], null],
    [
      ["10.8.0.0/17", "10.8.128.0/18", "10.8.192.0/19", "10.8.224.0/20", "10.8.240.0/21", "10.8.248.0/22"],
      "10.8.252.0/24",
    ],
  ])("with %j in use gets the subnet %s", (occupied, subnet) => {
    expect(firstFreeSubnet(occupied)).toBe(subnet);
  });

  test("gets the first port from 51820 that nobody listens on", () => {
    expect(firstFreePort([])).toBe(51820);
    expect(firstFreePort([51821, 51820, 22])).toBe(51822);
    expect(firstFreePort([65535], 65535)).toBeNull();
  });

  test("gets the first unused wgN", () => {
    expect(nextInterfaceName([])).toBe("wg0");
    expect(nextInterfaceName(["wg0", "wg2", "eth0"])).toBe("wg1");
  });
});
