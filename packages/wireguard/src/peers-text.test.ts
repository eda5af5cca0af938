import { describe, expect, test } from "vitest";
import type { DesiredPeer } from "./interface.ts";
import { NO_PRESHARED_KEY, type PresharedKey, type PublicKey } from "./key-text.ts";
import { writePeers } from "./peers-text.ts";

const FIRST = "HmndhaHPukxGl3GTBRdlSrdhcGIBN/TrOpha+Wu5yw0=" as PublicKey;
const SECOND = "n9d8Q00L0BPUS1CN8LUUERYZQNgdVledmY5tlwGZRyc=" as PublicKey;
const PRESHARED = "NMzsOtIVPNnG+iF+dxnp+fWWp0Gp62scT34it5qStQM=" as PresharedKey;

const first: DesiredPeer = { publicKey: FIRST, presharedKey: PRESHARED, allowedIps: ["10.8.0.2/32", "fd00::2/128"] };
const second: DesiredPeer = { publicKey: SECOND, presharedKey: null, allowedIps: ["10.8.0.3"] };

const peersText = `[Peer]
PublicKey = ${FIRST}
PresharedKey = ${PRESHARED}
AllowedIPs = 10.8.0.2/32,fd00::2/128

[Peer]
PublicKey = ${SECOND}
PresharedKey = ${NO_PRESHARED_KEY}
AllowedIPs = 10.8.0.3/32
`;

describe("the text for `wg addconf`", () => {
  test("has a block for each peer, and zeros to remove a preshared key", () => {
    expect(writePeers([first, second])).toBe(peersText);
  });

  test("omits AllowedIPs if there are none: wg refuses an empty line", () => {
    expect(writePeers([{ ...first, allowedIps: [] }])).not.toContain("AllowedIPs");
  });

  test("says where a peer is that has to be found, and how often it gets something", () => {
    const at = (host: string) => writePeers([{ ...first, endpoint: { host, port: 52_820 }, keepaliveS: 10 }]);
    expect(at("192.0.2.1")).toContain("\nEndpoint = 192.0.2.1:52820\nPersistentKeepalive = 10\n");
    expect(at("2001:DB8::1")).toContain("\nEndpoint = [2001:db8::1]:52820\n");
    expect(writePeers([first])).not.toMatch(/Endpoint|Keepalive/);
  });

  test("is empty for no peers", () => {
    expect(writePeers([])).toBe("");
  });

  test.each([
    ["a public key that adds a line", { ...first, publicKey: `${FIRST}\nEndpoint = 192.0.2.1:1` as PublicKey }],
    ["an endpoint that is a name", { ...first, endpoint: { host: "vpn.example", port: 1 } }],
    ["an endpoint that adds a line", { ...first, endpoint: { host: "192.0.2.1\n[Peer]", port: 1 } }],
    ["an interval that is none", { ...first, keepaliveS: 0.5 }],
    ["an invalid preshared key", { ...first, presharedKey: "secret" as PresharedKey }],
    ["an allowed IP that adds a line", { ...first, allowedIps: ["10.8.0.2/32\n[Peer]"] }],
  ])("is not written with %s, and the refusal repeats no value", (_, peer) => {
    expect(() => writePeers([peer])).toThrow(TypeError);
    expect(() => writePeers([peer])).toThrow(/^Not a [a-zIP ]+$/);
  });
});
