import { setImmediate as nextTurn } from "node:timers/promises";
import { formatAddress } from "@krug/wireguard/addresses";

/** Of a MaxMind database (MaxMind DB File Format, 'Binary Search Tree Section'). */
interface Tree {
  ipVersion: number;
  nodeCount: number;
  recordSize: number;
}

const BITS = 128;
/** In a database of both families IPv4 is at ::/96. */
const V4_AT = 96;
const NODES_IN_A_ROW = 20_000;

interface Branch {
  node: number;
  /** The network's address so far, as a number, and how long it is. */
  value: bigint;
  depth: number;
}

/**
 * The networks whose record is one that is asked for. The tree has a million nodes: others get their turn in between. Each record is
 * asked about once, by an address that leads to it.
 */
export async function networksWhere(
  bytes: Buffer,
  { ipVersion, nodeCount, recordSize }: Tree,
  wanted: (address: string) => boolean,
): Promise<string[]> {
  const child = childReader(bytes, recordSize);
  const hasBoth = ipVersion === 6;
  let v4Root = 0;
  for (let depth = 0; hasBoth && depth < V4_AT && v4Root < nodeCount; depth += 1) v4Root = child(v4Root, 0);
  const known = new Map<number, boolean>();
  const networks: string[] = [];
  const open: Branch[] = [{ node: 0, value: 0n, depth: hasBoth ? 0 : V4_AT }];
  let seen = 0;
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const { node, value, depth } = branch;
    // Nothing is known of it, or it is IPv4 once more, as other IPv6 networks embed it.
    if (node === nodeCount || (hasBoth && node === v4Root && value !== 0n)) continue;
    seen += 1;
    if (seen % NODES_IN_A_ROW === 0) await nextTurn();
    if (node < nodeCount) {
      if (depth === BITS) throw new RangeError("the tree is deeper than an address is long");
      const right = value | (1n << BigInt(BITS - 1 - depth));
      open.push({ node: child(node, 1), value: right, depth: depth + 1 });
      open.push({ node: child(node, 0), value, depth: depth + 1 });
      continue;
    }
    const isV4 = depth >= V4_AT && value >> 32n === 0n;
    const address = formatAddress(isV4 ? 4 : 6, value);
    let is = known.get(node);
    if (is === undefined) {
      is = wanted(address);
      known.set(node, is);
    }
    if (is) networks.push(`${address}/${isV4 ? depth - V4_AT : depth}`);
  }
  return networks;
}

/** Records of 24, 28 or 32 bits, two in each node. */
function childReader(bytes: Buffer, recordSize: number): (node: number, side: 0 | 1) => number {
  if (recordSize === 24) return (node, side) => bytes.readUIntBE(node * 6 + side * 3, 3);
  if (recordSize === 32) return (node, side) => bytes.readUInt32BE(node * 8 + side * 4);
  if (recordSize !== 28) throw new RangeError(`records of ${recordSize} bits`);
  return (node, side) => {
    const middle = bytes.readUInt8(node * 7 + 3);
    return side === 0
      ? (middle >> 4) * 2 ** 24 + bytes.readUIntBE(node * 7, 3)
      : (middle & 0x0f) * 2 ** 24 + bytes.readUIntBE(node * 7 + 4, 3);
  };
}
