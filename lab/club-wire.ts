import { writeConfig } from "@krug/wireguard/config-text";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { type Applied, type DesiredHost, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { HOST_ADDRESS } from "./network.ts";

/* A club's desired peers and its members' files, without a panel. */

export interface Device {
  peer: DesiredPeer;
  /** The text of the member's file. Secret. */
  file: string;
  address: string;
  secrets: string[];
}

export function newInterface(name: string, listenPort: number, subnet = "10.8.0"): DesiredInterface {
  const addresses = [`${subnet}.1/24`, `fd00:${listenPort.toString(16)}::1/64`];
  return { name, ...generateKeyPair(), listenPort, addresses, mtu: null, peers: [] };
}

/** `number` is the last octet, 2-254. */
export function newDevice(of: DesiredInterface, number: number): Device {
  const { privateKey, publicKey } = generateKeyPair();
  const presharedKey = generatePresharedKey();
  const [v4 = "", v6 = ""] = of.addresses.map((each) => each.replace(/1\/\d+$/, String(number)));
  const allowedIps = [`${v4}/32`, `${v6}/128`];
  const file = writeConfig({
    privateKey,
    addresses: allowedIps,
    dns: ["203.0.113.53"],
    mtu: null,
    peer: {
      publicKey: of.publicKey,
      presharedKey,
      allowedIps: ["0.0.0.0/0", "::/0"],
      endpoint: { host: HOST_ADDRESS, port: of.listenPort },
      persistentKeepalive: 25,
    },
  });
  return { peer: { publicKey, presharedKey, allowedIps }, file, address: v4, secrets: [privateKey, presharedKey] };
}

/** Any number of peers without files, up to 65,000, each with its own address. */
export function manyPeers(count: number): DesiredPeer[] {
  return Array.from({ length: count }, (_, index) => ({
    publicKey: generateKeyPair().publicKey,
    presharedKey: generatePresharedKey(),
    allowedIps: [`10.9.${index >> 8}.${index & 255}/32`],
  }));
}

export const NOTHING_DONE: Omit<Applied, "seen"> = {
  addedPeers: [],
  removedPeers: [],
  conflicts: [],
  firewallFailure: null,
  openingFailure: null,
  namesFailure: null,
  speedFailure: null,
  spared: [],
  lostPeers: [],
};

export function desiredHost(...interfaces: DesiredInterface[]): DesiredHost {
  return {
    interfaces,
    ownKeys: interfaces.map(({ publicKey }) => publicKey),
    closedTcpPorts: [25],
    openPorts: [80, 443].map((port) => ({ protocol: "tcp", port })),
    access: NO_ACCESS_RULES,
  };
}

export function withPeers(tunnel: DesiredInterface, ...devices: Device[]): DesiredInterface {
  return { ...tunnel, peers: devices.map(({ peer }) => peer) };
}
