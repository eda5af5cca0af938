import { describe, expect, test } from "vitest";
import { addressInV6For, firstFreePort, firstFreeSubnet, freeSubnetV6, nextInterfaceName } from "./free-address.ts";

describe("an address's counterpart in IPv6", () => {
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
    [["10.0.0.0/8"], "172.16.0.0/24"],
    [["10.8.0.0/16", "172.16.0.0/16", "172.17.3.4/16"], "172.18.0.0/24"],
    [["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/23"], "192.168.2.0/24"],
    [["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"], null],
    [
      ["10.8.0.0/17", "10.8.128.0/18", "10.8.192.0/19", "10.8.224.0/20", "10.8.240.0/21", "10.8.248.0/22"],
      "10.8.252.0/24",
    ],
  ])("with %j in use gets the subnet %s", (occupied, subnet) => {
    expect(firstFreeSubnet(occupied)).toBe(subnet);
  });

  test.each([
    [["10.8.0.0/24"], 22, "10.8.4.0/22"],
    [["10.8.0.0/24"], 18, "10.8.64.0/18"],
    [["10.8.4.7", "10.8.64.0/18"], 18, "10.8.128.0/18"],
    [["10.8.0.0/24", "10.8.255.0/24"], 17, "172.16.0.0/17"],
    [["10.8.0.0/24", "172.16.0.0/12", "192.168.255.255"], 16, null],
    [["10.8.0.0/25"], 25, "10.8.0.128/25"],
    [["10.8.0.0/24", "10.8.1.3"], 29, "10.8.1.8/29"],
  ])("with %j in use gets the /%i %s", (occupied, prefix, subnet) => {
    expect(firstFreeSubnet(occupied, prefix)).toBe(subnet);
  });

  test("gets an IPv6 subnet of its own that is unlikely to exist elsewhere", () => {
    const drawn = Array.from({ length: 50 }, () => freeSubnetV6(["fd77::/64", "10.8.0.0/24"]));
    expect(new Set(drawn).size).toBe(50);
    for (const subnet of drawn) expect(subnet).toMatch(/^fd[0-9a-f]{2}:[0-9a-f:]*::\/64$/);
    // All but one eighth of them are in use.
    expect(freeSubnetV6(["fd00::/9", "fd80::/10", "fdc0::/11"])).toMatch(/^fd[ef]/);
  });

  test("gets the first free port from 51820", () => {
    expect(firstFreePort([])).toBe(51820);
    expect(firstFreePort([51821, 51820, 22])).toBe(51822);
    expect(firstFreePort([65535], 65535)).toBeNull();
  });

  test("gets the first unused wgN", () => {
    expect(nextInterfaceName([])).toBe("wg0");
    expect(nextInterfaceName(["wg0", "wg2", "eth0"])).toBe("wg1");
  });
});
