import { canonicalNetwork } from "./addresses.ts";
import type { ActualInterface, ActualPeer } from "./interface.ts";
import { asPresharedKey, asPublicKey, NO_PRESHARED_KEY, type PresharedKey } from "./key-text.ts";
import { type TunnelProtocol, WIREGUARD } from "./protocol.ts";

/** Names the line and the field; never quotes the value, since these lines hold keys. */
export class DumpError extends Error {
  /** 1-based. */
  readonly line: number;

  constructor(what: string, line: number) {
    super(`Line ${line} of the dump: ${what}`);
    this.name = "DumpError";
    this.line = line;
  }
}

/**
 * Reads `wg show all dump` (wg(8)): tab-separated, the interface's name first; an interface's line has 5 columns plus one for
 * each field of the protocol, a peer's 9. Private keys are skipped. Counters are bytes as numbers: exact up to 2^53, i.e. 8 PiB
 * through one peer, and rounded beyond. Throws DumpError.
 */
export const parseDump = (text: string, protocol: TunnelProtocol = WIREGUARD): ActualInterface[] =>
  makeDumpParser(protocol)(text);

/**
 * The same for a series of dumps: a peer whose line is unchanged is the same object as before and is not parsed again. A dump of
 * the same lines gives the same objects in any order, because wireguard-go lists its peers in a different one each time. The
 * result must not be modified. A peer that only sends handshakes has no counters (see withoutGreeting).
 */
export function makeDumpParser(protocol: TunnelProtocol = WIREGUARD): (text: string) => ActualInterface[] {
  // By line, only from the last dump: each line keeps its dump in memory.
  let known = new Map<string, ActualPeer | ActualInterface>();
  let last: ActualInterface[] = [];
  let lastSum: string | null = null;
  // The kernel lists its peers in the same order: then the text is the same, and nothing is summed.
  let lastText: string | null = null;
  const sumOf = makeSumOfLines();
  return (text) => {
    if (text === lastText) return last;
    const sum = sumOf(text);
    if (sum !== null && sum === lastSum) return last;
    // Only once it is read: a dump that makes no sense is refused each time.
    lastSum = null;
    lastText = null;
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const interfaces = new Map<string, ActualInterface>();
    const found = new Map<string, ActualPeer | ActualInterface>();
    lines.forEach((line, index) => {
      const row = withoutGreeting(line);
      const [name = ""] = row.split("\t", 1);
      const on = interfaces.get(name);
      const columns = () => row.split("\t").slice(1);
      if (on === undefined) {
        const read = readInterface(name, columns(), index + 1, protocol);
        interfaces.set(name, read);
        found.set(row, read);
      } else {
        const before = known.get(row);
        const peer = before !== undefined && "allowedIps" in before ? before : readPeer(columns(), index + 1);
        on.peers.push(peer);
        found.set(row, peer);
      }
    });
    known = found;
    last = [...interfaces.values()];
    lastSum = sum;
    lastText = text;
    return last;
  };
}

const HAS_NO_SESSION = "\t(none)\t0\t";
/** A peer that never carried anything: before its endpoint, the endpoint, no allowed IPs, no handshake, counters, keepalive. */
const GREETS = /^([^\t]*\t[^\t]*\t[^\t]*)\t[^\t]+\t\(none\)\t0\t\d+\t\d+\t(\w+)$/;

/**
 * A peer without addresses and without a session, such as the panel's probe, only sends handshakes. Its counters and endpoint are
 * ignored: otherwise a probe a minute would make every dump a new one.
 */
const withoutGreeting = (line: string): string =>
  line.includes(HAS_NO_SESSION) ? line.replace(GREETS, "$1\t(none)\t(none)\t0\t0\t0\t$2") : line;

/**
 * A sum over a dump's lines, the same in any order; null if it is not ASCII. It is computed on bytes: ten thousand lines as strings
 * would be most of the garbage that an idle panel makes, and outlive V8's young generation.
 */
function makeSumOfLines(): (text: string) => string | null {
  let bytes = Buffer.alloc(0);
  return (text) => {
    if (Buffer.byteLength(text) !== text.length) return null;
    if (bytes.length < text.length) bytes = Buffer.alloc(text.length);
    bytes.write(text, "latin1");
    const sums = new Uint32Array(3);
    let from = 0;
    for (;;) {
      const special = text.indexOf(HAS_NO_SESSION, from);
      const upTo = special < 0 ? text.length : text.lastIndexOf("\n", special) + 1;
      addLines(sums, bytes, from, upTo);
      if (special < 0) return sums.join();
      const end = text.indexOf("\n", special);
      from = end < 0 ? text.length : end + 1;
      const line = Buffer.from(withoutGreeting(text.slice(upTo, end < 0 ? undefined : end)), "latin1");
      addLines(sums, line, 0, line.length);
    }
  };
}

const NEWLINE = 10;

/** Adds two hashes of each line, and how many there are. */
function addLines(sums: Uint32Array, bytes: Uint8Array, from: number, end: number): void {
  let [count = 0, first = 0, second = 0] = sums;
  let [one, other] = [0x811c9dc5, 1];
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte !== NEWLINE) {
      one = Math.imul(one ^ byte, 0x01000193);
      other = Math.imul(other + byte, 0x5bd1e995) ^ (other >>> 15);
    }
    if (byte === NEWLINE || at === end - 1) {
      first += one >>> 0;
      second += other >>> 0;
      count += 1;
      [one, other] = [0x811c9dc5, 1];
    }
  }
  sums.set([count, first % 2 ** 32, second % 2 ** 32]);
}

/** Reads `wg show IF dump`, which is the same without the first column. Throws DumpError. */
export function parseInterfaceDump(name: string, text: string, protocol: TunnelProtocol = WIREGUARD): ActualInterface {
  const [head, ...peers] = readLines(text);
  if (head === undefined) throw new DumpError("there is no interface in it", 1);
  return {
    ...readInterface(name, head.columns, head.line, protocol),
    peers: peers.map(({ columns, line }) => readPeer(columns, line)),
  };
}

function readLines(text: string): { columns: string[]; line: number }[] {
  return text
    .split("\n")
    .map((row, index) => ({ columns: row.split("\t"), line: index + 1 }))
    .filter(({ columns }) => columns.length > 1 || columns[0] !== "");
}

function readInterface(name: string, columns: string[], line: number, { fields }: TunnelProtocol): ActualInterface {
  // The kernel accepts names of at most 15 bytes without blanks and slashes.
  if (!/^[^\s/]{1,15}$/.test(name)) throw new DumpError("not an interface name", line);
  const expected = 4 + fields.length;
  if (columns.length !== expected)
    throw new DumpError(`an interface has ${expected} columns, here are ${columns.length}`, line);
  const [, publicKey = "", listenPort = "", ...more] = columns;
  const fwmark = more.at(-1) ?? "";
  const parameters = fields.map(({ name, parse }, place) => [name, known(name, parse(more[place] ?? ""), line)]);
  return {
    name,
    publicKey: publicKey === "(none)" ? null : known("public key", asPublicKey(publicKey), line),
    listenPort: known("listen port", readNumber(listenPort, 65535), line),
    fwmark: fwmark === "off" ? null : known("fwmark", readMark(fwmark), line),
    ...(fields.length > 0 && { parameters: Object.fromEntries(parameters) }),
    peers: [],
  };
}

function readPeer(columns: string[], line: number): ActualPeer {
  if (columns.length !== 8) throw new DumpError(`a peer has 8 columns, this line has ${columns.length}`, line);
  const [publicKey = "", psk = "", endpoint = "", allowedIps = "", handshake = "", rx = "", tx = "", keepalive = ""] =
    columns;
  if (endpoint === "") throw new DumpError("not a valid endpoint", line);
  const handshakeSeconds = known("latest handshake", readNumber(handshake, Number.MAX_SAFE_INTEGER / 1000), line);
  return {
    publicKey: known("public key", asPublicKey(ownCopy(publicKey)), line),
    presharedKey: readPresharedKey(ownCopy(psk), line),
    hasEndpoint: endpoint !== "(none)",
    allowedIps: readAllowedIps(allowedIps, line),
    lastHandshakeAt: handshakeSeconds === 0 ? null : handshakeSeconds * 1000,
    rxBytes: known("received counter", readNumber(rx, MOST_BYTES), line),
    txBytes: known("sent counter", readNumber(tx, MOST_BYTES), line),
    persistentKeepalive: keepalive === "off" ? null : known("keepalive", readNumber(keepalive, 65535), line),
  };
}

/** A substring keeps the whole text in memory, and an unchanged peer outlives many dumps. */
const ownCopy = (part: string) => Buffer.from(part, "latin1").toString("latin1");

/** The kernel counts in 64 bits. */
const MOST_BYTES = 2 ** 64;

function readPresharedKey(text: string, line: number): PresharedKey | null {
  if (text === "(none)" || text === NO_PRESHARED_KEY) return null;
  return known("preshared key", asPresharedKey(text), line);
}

function readAllowedIps(text: string, line: number): string[] {
  if (text === "(none)") return [];
  return text.split(",").map((entry) => known("allowed IP", canonicalNetwork(entry), line));
}

function readNumber(text: string, most: number): number | null {
  return /^[0-9]{1,20}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

function readMark(text: string): number | null {
  return /^0x[0-9a-f]{1,8}$/.test(text) ? Number(text) : null;
}

function known<Value>(what: string, value: Value | null, line: number): Value {
  if (value === null) throw new DumpError(`not a valid ${what}`, line);
  return value;
}
