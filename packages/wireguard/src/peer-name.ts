/*
 * The names of a server file's peers: not part of WireGuard, but each program and each person records them somehow. A comment
 * with a program's mark wins; otherwise the one nearest to the peer.
 */

/** Comments around a peer. */
export interface PeerComments {
  /** Above its section, the nearest last. */
  before: readonly string[];
  /** After its section's name. */
  beside: string;
  /** In its section, before the first field. */
  inside: readonly string[];
  /** After its key. */
  behindKey: string;
}

const NAME_MAX = 64;

/** How programs mark a name: wg-easy, Nyr's and angristan's scripts, PiVPN, wireguard-ui, linuxserver's image, WGDashboard, exporters. */
const MARKS = [
  /^(?:BEGIN_PEER|begin|client)\s+(?<name>\S.*)$/i,
  /^(?:client|name)\s*:\s*(?<name>\S.*)$/i,
  /^(?:friendly)?_?name#?\s*=\s*(?<name>\S.*)$/i,
  /^peer_(?<name>\S+)$/,
];

/** What appears in the same places but is not a name: ends of blocks, other facts, commented-out fields. */
const NO_NAME = [
  /^END_PEER\b/,
  /^end\s/i,
  /^(?:id|e-?mail|(?:[a-z]+ ){0,2}(?:created|updated?)(?: at)?)\s*:/i,
  /^[A-Za-z][A-Za-z0-9_-]*\s*=/,
  /^\[/,
];

/** @returns null if the file does not say */
export function peerName({ before, beside, inside, behindKey }: PeerComments): string | null {
  const nearest = [beside, ...inside, ...before.toReversed(), behindKey];
  return first(nearest.map(markedName)) ?? first(nearest.map(plainName));
}

/** At most 64 readable characters; null if there are none. A character that was lost in transfer makes a name useless. */
export function shortName(name: string): string | null {
  const text = name.replace(/\p{C}/gu, "").trim().slice(0, NAME_MAX);
  return text.includes("\uFFFD") ? null : text || null;
}

function markedName(comment: string): string | null {
  const name = first(MARKS.map((mark) => mark.exec(comment)?.groups?.name ?? null));
  return name === null ? null : shortName(/^client:/i.test(comment) ? withoutId(name) : name);
}

/** wg-easy puts an id in brackets after a name. */
function withoutId(name: string): string {
  const open = name.endsWith(")") ? name.lastIndexOf("(") : -1;
  return open > 0 ? name.slice(0, open) : name;
}

function plainName(comment: string): string | null {
  if (NO_NAME.some((one) => one.test(comment))) return null;
  // Some scripts put 'anna start' and 'anna end' around a peer.
  if (/\send$/i.test(comment)) return null;
  return shortName(/\sstart$/i.test(comment) ? comment.slice(0, -"start".length) : comment);
}

const first = <Found>(all: readonly (Found | null)[]): Found | null => all.find((one) => one !== null) ?? null;
