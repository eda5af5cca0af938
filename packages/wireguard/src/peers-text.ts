import { formatCidr, parseCidr } from "./addresses.ts";
import type { DesiredPeer } from "./interface.ts";
import { asPresharedKey, asPublicKey, NO_PRESHARED_KEY } from "./keys.ts";

/**
 * For the stdin of `wg addconf IF /dev/stdin`: adds these peers or replaces their settings, and leaves all others unchanged. A
 * missing preshared key is written as zeros, which removes an existing one. Holds secrets. Throws TypeError on an invalid value,
 * without quoting it.
 */
export function writePeers(peers: readonly DesiredPeer[]): string {
  return peers.map(writePeer).join("\n");
}

function writePeer({ publicKey, presharedKey, allowedIps }: DesiredPeer): string {
  const lines = [
    "[Peer]",
    `PublicKey = ${valid("public key", asPublicKey(publicKey))}`,
    `PresharedKey = ${presharedKey === null ? NO_PRESHARED_KEY : valid("preshared key", asPresharedKey(presharedKey))}`,
  ];
  const networks = allowedIps.map((ip) => formatCidr(valid("allowed IP", parseCidr(ip))));
  // wg refuses the key without a value; leaving it out clears the peer's allowed IPs.
  if (networks.length > 0) lines.push(`AllowedIPs = ${networks.join(",")}`);
  return `${lines.join("\n")}\n`;
}

function valid<Value>(what: string, value: Value | null): Value {
  if (value === null) throw new TypeError(`Not a ${what}`);
  return value;
}
