import { getSystemErrorName } from "node:util";
import { reason } from "@krug/domain/reasons";
import { canonicalNetwork, formatCidr, requireCidr } from "@krug/wireguard/addresses";
import type { ActualInterface, ActualPeer, DesiredPeer } from "@krug/wireguard/interface";
import { asPresharedKey, asPrivateKey, asPublicKey, type PrivateKey, type PublicKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { endpointText } from "@krug/wireguard/peers-text";
import type { TunnelParameters, TunnelProtocol } from "@krug/wireguard/protocol";
import { type Machine, MachineFailure, Unreadable } from "./machine.ts";

/*
 * The control socket of a userspace WireGuard: the protocol that `wg` uses with it, an order of magnitude faster than starting
 * `wg`. https://www.wireguard.com/xplatform/#cross-platform-userspace-implementation
 */

const NO_KEY = "0".repeat(64);

export function socketPath({ socketFolder }: TunnelProtocol, name: string): string {
  return `${socketFolder}/${name}.sock`;
}

/** With `only`, the result has just those peers that exist; reading few of many then costs no parsing. */
export async function readByUapi(
  machine: Machine,
  protocol: TunnelProtocol,
  name: string,
  only?: readonly PublicKey[],
): Promise<ActualInterface> {
  const text = await askEngine(machine, protocol, name, "get=1\n\n");
  const firstPeer = text.indexOf("public_key=");
  const head = fieldsOf(firstPeer < 0 ? text : text.slice(0, firstPeer));
  const privateKey = asPrivateKey(base64(head.get("private_key")?.[0] ?? NO_KEY));
  const fwmark = numberIn(head, "fwmark", 0xffff_ffff);
  const parameters = protocol.fields.map(({ name: field, initial, parse }) => {
    const value = parse(head.get(field)?.[0] ?? initial);
    if (value === null) throw new Unreadable(`the engine of ${name}`);
    return [field, value];
  });
  return {
    name,
    publicKey: privateKey === null ? null : publicKeyOf(privateKey),
    listenPort: numberIn(head, "listen_port", 65_535),
    fwmark: fwmark === 0 ? null : fwmark,
    ...(protocol.fields.length > 0 && { parameters: Object.fromEntries(parameters) }),
    peers: firstPeer < 0 ? [] : peerTexts(text, firstPeer, only).map(peerOf),
  };
}

/** One change of one interface; removals come first, so that an address can move to another peer. */
export interface InterfaceChange {
  privateKey?: PrivateKey;
  listenPort?: number;
  parameters?: TunnelParameters;
  remove: readonly PublicKey[];
  /** Peers that stay, without addresses. */
  silence?: readonly PublicKey[];
  upsert: readonly DesiredPeer[];
}

export async function changeByUapi(
  machine: Machine,
  protocol: TunnelProtocol,
  name: string,
  change: InterfaceChange,
): Promise<void> {
  const lines = ["set=1"];
  if (change.privateKey) lines.push(`private_key=${hex(change.privateKey)}`);
  if (change.listenPort) lines.push(`listen_port=${change.listenPort}`);
  for (const [field, value] of Object.entries(change.parameters ?? {})) lines.push(`${field}=${value}`);
  for (const publicKey of change.remove) lines.push(`public_key=${hex(publicKey)}`, "remove=true");
  for (const publicKey of change.silence ?? [])
    lines.push(`public_key=${hex(publicKey)}`, "update_only=true", "replace_allowed_ips=true");
  for (const peer of change.upsert) lines.push(...peerLines(peer));
  await askEngine(machine, protocol, name, `${lines.join("\n")}\n\n`);
}

function peerLines(peer: DesiredPeer): string[] {
  return [
    `public_key=${hex(peer.publicKey)}`,
    `preshared_key=${peer.presharedKey === null ? NO_KEY : hex(peer.presharedKey)}`,
    "replace_allowed_ips=true",
    ...peer.allowedIps.map((cidr) => `allowed_ip=${requireNetwork(cidr)}`),
    ...(peer.endpoint === undefined ? [] : [`endpoint=${requireEndpoint(peer.endpoint)}`]),
    ...(peer.keepaliveS === undefined ? [] : [`persistent_keepalive_interval=${Math.trunc(peer.keepaliveS)}`]),
  ];
}

/** @throws RangeError */
function requireNetwork(cidr: string): string {
  return canonicalNetwork(cidr) ?? formatCidr(requireCidr(cidr));
}

/** @throws RangeError */
function requireEndpoint(endpoint: NonNullable<DesiredPeer["endpoint"]>): string {
  const text = endpointText(endpoint);
  if (text === null) throw new RangeError("a peer's endpoint is no address");
  return text;
}

/** Searching costs microseconds, parsing every peer milliseconds: a few wanted peers are searched for. */
function peerTexts(text: string, firstPeer: number, only?: readonly PublicKey[]): string[] {
  if (only && only.length <= 16) {
    return only.flatMap((publicKey) => {
      const start = text.indexOf(`public_key=${hex(publicKey)}\n`, firstPeer);
      if (start < 0) return [];
      const end = text.indexOf("\npublic_key=", start);
      return [text.slice(start, end < 0 ? undefined : end)];
    });
  }
  const all = text.slice(firstPeer + "public_key=".length).split("\npublic_key=");
  const wanted = only && new Set(only.map(hex));
  return all.filter((peer) => !wanted || wanted.has(peer.slice(0, 64))).map((peer) => `public_key=${peer}`);
}

function peerOf(text: string): ActualPeer {
  const fields = fieldsOf(text);
  const one = (name: string) => fields.get(name)?.[0];
  const publicKey = asPublicKey(base64(one("public_key") ?? NO_KEY));
  if (publicKey === null) throw new Unreadable("the engine");
  const handshakeSeconds = numberIn(fields, "last_handshake_time_sec", Number.MAX_SAFE_INTEGER / 1000);
  // AmneziaWG's may be a range; the minimum comes first.
  const keepalive = Number.parseInt(one("persistent_keepalive_interval") ?? "0", 10);
  if (Number.isNaN(keepalive)) throw new Unreadable("the engine");
  return {
    publicKey,
    presharedKey: asPresharedKey(base64(one("preshared_key") ?? NO_KEY)),
    hasEndpoint: fields.has("endpoint"),
    allowedIps: (fields.get("allowed_ip") ?? []).map(networkIn),
    // Whole seconds, as in `wg show dump`: both ways of reading must agree.
    lastHandshakeAt: handshakeSeconds === 0 ? null : handshakeSeconds * 1000,
    rxBytes: numberIn(fields, "rx_bytes", MOST_BYTES),
    txBytes: numberIn(fields, "tx_bytes", MOST_BYTES),
    persistentKeepalive: keepalive === 0 ? null : keepalive,
  };
}

/** The kernel's tunnels count in 64 bits. */
const MOST_BYTES = 2 ** 64;

/** Zero if missing. @throws Unreadable */
function numberIn(fields: ReadonlyMap<string, string[]>, name: string, most: number): number {
  const text = fields.get(name)?.[0] ?? "0";
  const value = /^[0-9]{1,20}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Unreadable("the engine");
  return value;
}

/** @throws Unreadable */
function networkIn(text: string): string {
  const network = canonicalNetwork(text);
  if (network === null) throw new Unreadable("the engine");
  return network;
}

function fieldsOf(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    if (at < 0) continue;
    const name = line.slice(0, at);
    const values = fields.get(name);
    if (values) values.push(line.slice(at + 1));
    else fields.set(name, [line.slice(at + 1)]);
  }
  return fields;
}

/** @throws NobodyAnswers, AnswerLost, RefusedByEngine */
export async function askEngine(
  machine: Machine,
  protocol: TunnelProtocol,
  name: string,
  question: string,
): Promise<string> {
  const text = await machine.ask(socketPath(protocol, name), question, "\n\n", { timeoutMs: 10_000 });
  const errno = /(?:^|\n)errno=(-?\d{1,9})\n\n$/.exec(text)?.[1];
  if (errno === "0") return text;
  throw errno === undefined ? new Unreadable(`the engine of ${name}`) : new RefusedByEngine(name, Number(errno));
}

/** The engine refused a change; `errno` as in errno(3), e.g. -98 for an address in use. */
class RefusedByEngine extends MachineFailure {
  readonly errno: number;

  constructor(name: string, errno: number) {
    super(
      "refused",
      reason("engine.refused", { name, why: errno === 0 ? "no reason" : getSystemErrorName(-Math.abs(errno)) }),
    );
    this.errno = errno;
  }
}

const keyBytes = Buffer.alloc(32);
function hex(key: string): string {
  return keyBytes.toString("hex", 0, keyBytes.write(key, "base64"));
}

function base64(text: string): string {
  return Buffer.from(text, "hex").toString("base64");
}
