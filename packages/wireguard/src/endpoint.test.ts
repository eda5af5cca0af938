import { describe, expect, test } from "vitest";
import { formatEndpoint, parseEndpoint, readEndpointHost } from "./endpoint.ts";

describe("an endpoint", () => {
  test.each([
    ["vpn.example.org:51820", { host: "vpn.example.org", port: 51820 }],
    ["VPN-1.example:1", { host: "VPN-1.example", port: 1 }],
    ["localhost:65535", { host: "localhost", port: 65535 }],
    ["xn--e1afmkfd.xn--p1ai:51820", { host: "xn--e1afmkfd.xn--p1ai", port: 51820 }],
    ["192.0.2.1:51820", { host: "192.0.2.1", port: 51820 }],
    ["[2001:db8::1]:51820", { host: "2001:db8::1", port: 51820 }],
    ["[::ffff:192.0.2.1]:51820", { host: "::ffff:192.0.2.1", port: 51820 }],
  ])("%s reads and writes as itself", (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
    expect(formatEndpoint(endpoint)).toBe(text);
  });

  test.each([
    "",
    "vpn.example.org",
    "vpn.example.org:",
    "vpn.example.org:0",
    "vpn.example.org:65536",
    "vpn.example.org:051820",
    "vpn.example.org:51820 ",
    ":51820",
    "2001:db8::1:51820",
    "[192.0.2.1]:51820",
    "[vpn.example.org]:51820",
    "[fe80::1%eth0]:51820",
    "999.1.1.1:51820",
    "10.1:51820",
    "0x7f000001:51820",
    "-a.example:51820",
    "a-.example:51820",
    "a..example:51820",
    "a.example.:51820",
    "a_b.example:51820",
    "пример.рф:51820",
    "a example:51820",
    "a.example;reboot:51820",
    "$(reboot):51820",
    `${"a".repeat(64)}.example:51820`,
    `${"a.".repeat(127)}example:51820`,
    "a.example\nPostUp=reboot:51820",
    "a.example:51820\n",
  ])("%j is invalid", (text) => {
    expect(parseEndpoint(text)).toBeNull();
  });

  test.each([
    ["a line of its own", { host: "a.example\nPostUp = reboot", port: 51820 }],
    ["a zone", { host: "fe80::1%eth0", port: 51820 }],
    ["brackets of its own", { host: "[2001:db8::1]", port: 51820 }],
    ["no port", { host: "a.example", port: Number.NaN }],
    ["port 0", { host: "a.example", port: 0 }],
    ["half a port", { host: "a.example", port: 518.2 }],
  ])("with %s is refused", (_, endpoint) => {
    expect(() => formatEndpoint(endpoint)).toThrow(RangeError);
  });
});

test.each([
  ["vpn.example.org", "vpn.example.org"],
  ["VPN-1.example", "VPN-1.example"],
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:0DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["[2001:db8::1]", null],
  ["[2001:db8::1]:51820", null],
  ["[192.0.2.1]", null],
  ["[vpn.example.org]", null],
  ["fe80::1%eth0", null],
  ["a.example\nPostUp = reboot", null],
  ["[::1\n]", null],
  ["", null],
])("the host written %j is stored as %j", (written, kept) => {
  expect(readEndpointHost(written)).toBe(kept);
});
