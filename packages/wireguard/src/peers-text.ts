import { canonicalAddress, canonicalNetwork } from "./addresses.ts";
import type { DesiredPeer } from "./interface.ts";
import { asPresharedKey, asPublicKey, NO_PRESHARED_KEY } from "./key-text.ts";

/**
 * For the stdin of `wg addconf IF /dev/stdin`: adds these peers or replaces their settings, and leaves all others unchanged. A
 * missing preshared key is written as zeros, which removes an existing one. Holds secrets. Throws TypeError on an invalid value,
 * without quoting it.
 */
export function writePeers(peers: readonly DesiredPeer[]): string {
  return peers.map(writePeer).join("\n");
}

function writePeer({ publicKey, presharedKey, allowedIps, endpoint, keepaliveS }: DesiredPeer): string {
  const lines = [
    "[Peer]",
    `PublicKey = ${valid("public key", asPublicKey(publicKey))}`,
    `PresharedKey = ${presharedKey === null ? NO_PRESHARED_KEY : valid("preshared key", asPresharedKey(presharedKey))}`,
  ];
  const networks = allowedIps.map((ip) => valid("allowed IP", canonicalNetwork(ip)));
  // wg refuses the key without a value; leaving it out clears the peer's allowed IPs.
  if (networks.length > 0) lines.push(`AllowedIPs = ${networks.join(",")}`);
  if (endpoint !== undefined) lines.push(`Endpoint = ${valid("endpoint", endpointText(endpoint))}`);
  if (keepaliveS !== undefined)
    lines.push(`PersistentKeepalive = ${valid("interval", wholeBelow(keepaliveS, 65_536))}`);
  return `${lines.join("\n")}\n`;
}

/** By address only, so that nothing is looked up and nothing else gets into the text; null if it is none. */
export function endpointText({ host, port }: { host: string; port: number }): string | null {
  const address = canonicalAddress(host);
  if (address === null || wholeBelow(port, 65_536) === null) return null;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const wholeBelow = (value: number, limit: number) =>
  Number.isInteger(value) && value >= 0 && value < limit ? value : null;

function valid<Value>(what: string, value: Value | null): Value {
  if (value === null) throw new TypeError(`Not a ${what}`);
  return value;
}
