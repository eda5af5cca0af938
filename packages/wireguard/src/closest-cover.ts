import {
  type Cidr,
  cidrsWithout,
  type Family,
  formatAddress,
  formatCidr,
  minimalCidrs,
  requireCidr,
} from "./addresses.ts";
import { CLOSED_NETWORKS } from "./closed-networks.ts";

export interface Cover {
  networks: string[];
  /** Addresses beyond those requested: IPv4 addresses, and IPv6 networks of /64 (a smaller piece counts as a fraction). */
  extra: { v4: number; v6: number };
  /** The same as a share of what was requested, 1 for as much again. */
  share: number;
}

const CLOSED = CLOSED_NETWORKS.map(({ cidr }) => cidr);

/** A network with all requested addresses in it; a leaf is requested whole. */
interface Node extends Pick<Cidr, "family" | "first" | "prefix"> {
  children: readonly [Node, Node] | null;
  wished: number;
  /** `least[n - 1]`: the smallest excess of n networks or fewer; Infinity if they cannot cover it. */
  least: number[];
  /** `left[n - 1]`: how many of them go to the left child; 0: one network is better. */
  left: number[];
}

/**
 * At most `most` networks that cover `list` with the smallest possible excess, by dynamic programming over the tree of common
 * prefixes. Private, loopback and other closed networks, and those of `own`, are included only if requested. Null if there is no
 * such cover. Throws RangeError on an invalid entry. Takes time proportional to the length of the list times `most`.
 */
export function closestCover(list: readonly string[], most: number, own: readonly string[] = []): Cover | null {
  const all = minimalCidrs(list).map(requireCidr);
  const closed = cidrsWithout([...CLOSED, ...own], list).map(requireCidr);
  const roots = ([4, 6] as const).flatMap((family) => {
    const ofFamily = all.filter((cidr) => cidr.family === family);
    const isClosed = overlapsAny(closed.filter((cidr) => cidr.family === family));
    return ofFamily.length === 0 ? [] : [treeOf(ofFamily, most, isClosed)];
  });
  const [first, second] = roots;
  if (first === undefined) return { networks: [], extra: { v4: 0, v6: 0 }, share: 0 };
  const together = second === undefined ? null : join(first, second, most);
  const least = (together ?? first).least;
  const count = Math.min(most, least.length);
  if (count === 0 || least[count - 1] === Number.POSITIVE_INFINITY) return null;
  const ofFirst = together?.left[count - 1] ?? count;
  const chosen = [...chosenOf(first, ofFirst), ...(second === undefined ? [] : chosenOf(second, count - ofFirst))];
  const extraOf = (family: Family) =>
    chosen.reduce((sum, node) => (node.family === family ? sum + sizeOf(node) - node.wished : sum), 0);
  const wished = roots.reduce((sum, root) => sum + root.wished, 0);
  const extra = { v4: extraOf(4), v6: extraOf(6) };
  return { networks: chosen.map(textOf), extra, share: (extra.v4 + extra.v6) / wished };
}

const bitsOf = (family: Family) => (family === 4 ? 32 : 128);
/** In IPv4 addresses, or IPv6 networks of /64. */
const sizeOf = ({ family, prefix }: Pick<Cidr, "family" | "prefix">) => 2 ** ((family === 4 ? 32 : 64) - prefix);
const lastOf = ({ family, first, prefix }: Pick<Cidr, "family" | "first" | "prefix">) =>
  first + (1n << BigInt(bitsOf(family) - prefix)) - 1n;
const textOf = (node: Node) => formatCidr({ network: formatAddress(node.family, node.first), prefix: node.prefix });

/** `cidrs` ascend, are of one family and do not overlap. */
function treeOf(cidrs: readonly Cidr[], most: number, isClosed: ReturnType<typeof overlapsAny>): Node {
  const [first, last] = [cidrs[0], cidrs.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("no network");
  if (first === last) {
    const { family, prefix } = first;
    return { family, first: first.first, prefix, children: null, wished: sizeOf(first), least: [0], left: [0] };
  }
  const bits = bitsOf(first.family);
  let hostBits = 0;
  while (first.first >> BigInt(hostBits) !== last.first >> BigInt(hostBits)) hostBits += 1;
  const start = (first.first >> BigInt(hostBits)) << BigInt(hostBits);
  const middle = start + (1n << BigInt(hostBits - 1));
  const at = cidrs.findIndex((cidr) => cidr.first >= middle);
  const children = [treeOf(cidrs.slice(0, at), most, isClosed), treeOf(cidrs.slice(at), most, isClosed)] as const;
  const whole = { family: first.family, first: start, prefix: bits - hostBits };
  const wished = children[0].wished + children[1].wished;
  const { least, left } = join(...children, most);
  // One network never has less excess than two that it covers.
  if (!isClosed(start, lastOf(whole))) least[0] = sizeOf(whole) - wished;
  return { ...whole, children, wished, least, left };
}

/** Does any of these, which ascend and do not overlap, share an address with `first` to `last`? */
const overlapsAny = (cidrs: readonly Cidr[]) => (first: bigint, last: bigint) => {
  let [low, high] = [0, cidrs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cidrs[middle]?.last ?? 0n) < first) low = middle + 1;
    else high = middle;
  }
  const next = cidrs[low];
  return next !== undefined && next.first <= last;
};

/** Both together, with at most this many networks; a single one covers neither. */
function join(one: Pick<Node, "least">, other: Pick<Node, "least">, most: number): Pick<Node, "least" | "left"> {
  const length = Math.min(most, one.least.length + other.least.length);
  const least = new Array<number>(length).fill(Number.POSITIVE_INFINITY);
  const left = new Array<number>(length).fill(0);
  one.least.forEach((beyond, a) => {
    for (let b = 0; b < other.least.length && a + b + 2 <= length; b += 1) {
      const sum = beyond + (other.least[b] ?? Number.POSITIVE_INFINITY);
      if (sum < (least[a + b + 1] ?? 0)) {
        least[a + b + 1] = sum;
        left[a + b + 1] = a + 1;
      }
    }
  });
  // More networks than useful do no harm.
  for (let n = 1; n < length; n += 1)
    if ((least[n] ?? 0) > (least[n - 1] ?? 0)) [least[n], left[n]] = [least[n - 1] ?? 0, left[n - 1] ?? 0];
  return { least, left };
}

/** The networks of the best cover of this node by `count` or fewer. */
function chosenOf(node: Node, count: number): Node[] {
  const n = Math.min(count, node.least.length);
  // The same with fewer, if more are of no use.
  let least = n;
  while (least > 1 && node.least[least - 2] === node.least[n - 1]) least -= 1;
  const ofLeft = node.left[least - 1] ?? 0;
  if (node.children === null || ofLeft === 0) return [node];
  return [...chosenOf(node.children[0], ofLeft), ...chosenOf(node.children[1], least - ofLeft)];
}
