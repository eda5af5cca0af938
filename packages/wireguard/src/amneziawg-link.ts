import { deflateSync, inflateSync } from "node:zlib";
import { type AmneziaConfig, amneziaLines, parseAmneziaConfig, writeAmneziaConfig } from "./amneziawg-text.ts";
import { publicKeyOf } from "./keys.ts";

/*
 * What AmneziaVPN imports by tapping (Android), pasting or scanning; no other app knows it. Packed as the program itself does:
 * Qt's qCompress, i.e. the length and zlib, in URL-safe base64. https://github.com/amnezia-vpn/amnezia-client
 */

const SCHEME = "vpn://";
const LENGTH_BYTES = 4;
/** As AmneziaVPN uses. */
const LEVEL = 8;
/** A config is about 3 KB; a text that claims more is not one of ours. */
const MOST_BYTES = 64 * 1024;

/** Holds secrets as the file does. Throws ConfigTextError, or TypeError without a private key: the program needs it. */
export function writeAmneziaLink(config: AmneziaConfig, description: string): string {
  const { privateKey, peer, profile } = config;
  if (privateKey === null) throw new TypeError("A link needs the private key");
  const text = writeAmneziaConfig(config);
  const { host, port } = peer.endpoint;
  const version = profile.version === "2.0" ? "2" : profile.version;
  const own = {
    ...Object.fromEntries(amneziaLines(profile).map(({ field, text: value }) => [field.key, value])),
    config: text,
    hostName: host,
    port,
    client_ip: config.addresses.map((address) => address.split("/", 1)[0]).join(","),
    client_priv_key: privateKey,
    client_pub_key: publicKeyOf(privateKey),
    server_pub_key: peer.publicKey,
    ...(peer.presharedKey !== null && { psk_key: peer.presharedKey }),
    allowed_ips: peer.allowedIps,
    ...(peer.persistentKeepalive !== null && { persistent_keep_alive: String(peer.persistentKeepalive) }),
    ...(config.mtu !== null && { mtu: String(config.mtu) }),
  };
  const awg = {
    port: String(port),
    transport_proto: "udp",
    protocol_version: version,
    last_config: JSON.stringify(own),
  };
  const [dns1, dns2 = dns1] = config.dns;
  const json = JSON.stringify({
    description,
    hostName: host,
    ...(dns1 !== undefined && { dns1, dns2 }),
    defaultContainer: "amnezia-awg2",
    containers: [{ container: "amnezia-awg2", awg }],
  });
  const plain = Buffer.from(json, "utf8");
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(plain.length);
  return SCHEME + Buffer.concat([length, deflateSync(plain, { level: LEVEL })]).toString("base64url");
}

/** The config in such a link, and its name; null if it is not such a link. */
export function parseAmneziaLink(link: string): { description: string; config: AmneziaConfig } | null {
  if (!link.startsWith(SCHEME)) return null;
  try {
    const packed = Buffer.from(link.slice(SCHEME.length), "base64url");
    const plain = inflateSync(packed.subarray(LENGTH_BYTES), { maxOutputLength: MOST_BYTES });
    if (packed.readUInt32BE() !== plain.length) return null;
    const { description, containers } = JSON.parse(plain.toString("utf8"));
    const { config } = JSON.parse(containers[0].awg.last_config);
    return { description: String(description), config: parseAmneziaConfig(String(config)) };
  } catch {
    return null;
  }
}
