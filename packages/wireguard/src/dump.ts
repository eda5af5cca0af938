import { formatCidr, parseCidr } from "./addresses.ts";
import type { ActualInterface, ActualPeer } from "./interface.ts";
import { asPresharedKey, asPublicKey, NO_PRESHARED_KEY, type PresharedKey } from "./keys.ts";
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
 * Reads `wg show all dump` (wg(8)): tab-separated, the interface's name first; an interface's line has 5 columns and one
 * for each field of the protocol's own, a peer's 9. Private keys are passed over. Counters are bytes as numbers: exact up to 2^53, i.e. 8 PiB through one peer,
 * and rounded beyond. Throws DumpError.
 */
export const parseDump = (text: string, protocol: TunnelProtocol = WIREGUARD): ActualInterface[] =>
  makeDumpParser(protocol)(text);

/**
 * The same for one dump after another: a peer whose line is as it was is the same object as before, and is not parsed again.
 * With 10,000 idle peers that is a tenth of the work. The same text gives the same objects and costs nothing. What it answers
 * must not be changed. Of a peer that only ever greets it answers no counters (see withoutGreetings).
 */
export function makeDumpParser(protocol: TunnelProtocol = WIREGUARD): (text: string) => ActualInterface[] {
  let known = new Map<string, ActualPeer>();
  let last: { text: string; interfaces: ActualInterface[] } | null = null;
  return (dump) => {
    const text = withoutGreetings(dump);
    if (text === last?.text) return last.interfaces;
    const interfaces = new Map<string, ActualInterface>();
    const rows: string[] = [];
    const peers: ActualPeer[] = [];
    let current: ActualInterface | undefined;
    let areKnown = true;
    text.split("\n").forEach((row, index) => {
      if (row === "") return;
      let peer = known.get(row);
      if (current === undefined || peer === undefined || !row.startsWith(`${current.name}\t`)) {
        const [name = "", ...rest] = row.split("\t");
        current = interfaces.get(name);
        if (current === undefined) {
          current = readInterface(name, rest, index + 1, protocol);
          interfaces.set(name, current);
          return;
        }
        areKnown &&= peer !== undefined;
        peer ??= readPeer(rest, index + 1);
      }
      current.peers.push(peer);
      rows.push(row);
      peers.push(peer);
    });
    // None but the last dump's rows are kept, as each keeps its dump.
    if (!areKnown || rows.length !== known.size)
      known = new Map(rows.map((row, place) => [row, peers[place] as ActualPeer]));
    last = { text, interfaces: [...interfaces.values()] };
    return last.interfaces;
  };
}

/** Allowed IPs and handshake of a peer that carries nothing and never did. */
const CARRIES_NOTHING = "\t(none)\t0\t";

/**
 * A peer without addresses and without a session, as the panel's probe is one, moves nothing but greetings. Its counters and
 * its endpoint count as none: otherwise a probe a minute would make every dump a new one.
 */
function withoutGreetings(dump: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (let at = dump.indexOf(CARRIES_NOTHING); at !== -1; at = dump.indexOf(CARRIES_NOTHING, at + 1)) {
    const behind = at + CARRIES_NOTHING.length;
    const [counters] = /^\d+\t\d+\t/.exec(dump.slice(behind, behind + 42)) ?? [];
    if (counters === undefined) continue;
    pieces.push(dump.slice(done, dump.lastIndexOf("\t", at - 1)), `\t(none)${CARRIES_NOTHING}0\t0\t`);
    done = behind + counters.length;
  }
  return done === 0 ? dump : pieces.join("") + dump.slice(done);
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
  // What a kernel takes as a name is at most 15 bytes without blanks and slashes.
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

/** A part of a text keeps all of it in memory, and a peer that stays as it is outlives many dumps. */
const ownCopy = (part: string) => Buffer.from(part, "latin1").toString("latin1");

/** The kernel counts in 64 bits. */
const MOST_BYTES = 2 ** 64;

function readPresharedKey(text: string, line: number): PresharedKey | null {
  if (text === "(none)" || text === NO_PRESHARED_KEY) return null;
  return known("preshared key", asPresharedKey(text), line);
}

function readAllowedIps(text: string, line: number): string[] {
  if (text === "(none)") return [];
  return text.split(",").map((entry) => formatCidr(known("allowed IP", parseCidr(entry), line)));
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
