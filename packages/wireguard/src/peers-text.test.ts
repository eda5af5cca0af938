import { describe, expect, test } from "vitest";
import type { DesiredInterface, DesiredPeer } from "./interface.ts";
import { NO_PRESHARED_KEY, type PresharedKey, type PrivateKey, type PublicKey } from "./keys.ts";
import { writePeers, writeSyncconf } from "./peers-text.ts";

const PRIVATE = "4B4xlCvmmSqR5QlPw1Hqei+G9G2vZXe6aS3f7ed+9l8=" as PrivateKey;
const SERVER = "3lORkaC3m5UNczoqQhgX5h25Ehavn8bvTrejASJRNl0=" as PublicKey;
const FIRST = "HmndhaHPukxGl3GTBRdlSrdhcGIBN/TrOpha+Wu5yw0=" as PublicKey;
const SECOND = "n9d8Q00L0BPUS1CN8LUUERYZQNgdVledmY5tlwGZRyc=" as PublicKey;
const PRESHARED = "NMzsOtIVPNnG+iF+dxnp+fWWp0Gp62scT34it5qStQM=" as PresharedKey;

const first: DesiredPeer = { publicKey: FIRST, presharedKey: PRESHARED, allowedIps: ["10.8.0.2/32", "fd00::2/128"] };
const second: DesiredPeer = { publicKey: SECOND, presharedKey: null, allowedIps: ["10.8.0.3"] };
const wg0: DesiredInterface = {
  name: "wg0",
  privateKey: PRIVATE,
  publicKey: SERVER,
  listenPort: 51820,
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers: [first, second],
};

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

  test("is empty for no peers", () => {
    expect(writePeers([])).toBe("");
  });

  test.each([
    ["a public key that adds a line", { ...first, publicKey: `${FIRST}\nEndpoint = 192.0.2.1:1` as PublicKey }],
    ["an invalid preshared key", { ...first, presharedKey: "secret" as PresharedKey }],
    ["an allowed IP that adds a line", { ...first, allowedIps: ["10.8.0.2/32\n[Peer]"] }],
  ])("is not written with %s, and the refusal repeats no value", (_, peer) => {
    expect(() => writePeers([peer])).toThrow(TypeError);
    expect(() => writePeers([peer])).toThrow(/^Not a [a-zIP ]+$/);
  });
});

describe("the text for `wg syncconf`", () => {
  test("has the interface's key and port, then its peers", () => {
    const head = `[Interface]\nPrivateKey = ${PRIVATE}\nListenPort = 51820\n`;
    expect(writeSyncconf(wg0)).toBe(`${head}\n${peersText}`);
    expect(writeSyncconf({ ...wg0, peers: [] })).toBe(head);
  });

  test.each([0, 65536, 1.5, Number.NaN])("is not written with port %s", (listenPort) => {
    expect(() => writeSyncconf({ ...wg0, listenPort })).toThrow(TypeError);
  });
});
