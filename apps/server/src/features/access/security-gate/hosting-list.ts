import { formatCidr, parseCidr } from "@krug/wireguard/addresses";

/** What a network belongs to: machines for hire, or a service that carries others' traffic. */
type Kind = "hosting" | "proxy";

export interface HostingList {
  /** YYYY-MM-DD: the day the list was made. */
  date: string;
  networks: Readonly<Record<Kind, readonly string[]>>;
}

const KINDS: readonly Kind[] = ["hosting", "proxy"];
const DATE = /^date (\d{4}-\d{2}-\d{2})$/;
const ENTRY = /^(\S+) (\S+) (\S.*)$/;
/** A typing mistake in a wider network would block whole countries. */
const WIDEST = { 4: 9, 6: 24 } as const;

/**
 * Reads data/hosting-networks.txt: `#` begins a comment; one line `date YYYY-MM-DD`; then `network kind owner`.
 * @throws Error naming the first line that is none of these, a network with host bits, one too wide or a repeated one
 */
export function parseHostingList(text: string): HostingList {
  let date: string | null = null;
  const networks: Record<Kind, string[]> = { hosting: [], proxy: [] };
  const seen = new Set<string>();
  for (const [index, raw] of text.split("\n").entries()) {
    const line = (raw.split("#", 1)[0] ?? "").trim();
    if (line === "") continue;
    const fail = (why: string): never => {
      throw new Error(`hosting networks, line ${index + 1}: ${why}`);
    };
    const day = DATE.exec(line)?.[1];
    if (day !== undefined) {
      if (date !== null) fail("a second date");
      if (Number.isNaN(Date.parse(day))) fail("no such day");
      date = day;
      continue;
    }
    const [, network = "", kindText = ""] = ENTRY.exec(line) ?? fail("not 'network kind owner'");
    const cidr = parseCidr(network) ?? fail("no network");
    const kind = KINDS.find((known) => known === kindText) ?? fail("no such kind");
    if (formatCidr(cidr) !== network) fail(`should be ${formatCidr(cidr)}`);
    if (cidr.prefix < WIDEST[cidr.family]) fail("too wide");
    if (seen.has(network)) fail("said twice");
    seen.add(network);
    networks[kind].push(network);
  }
  if (date === null) throw new Error("hosting networks: no date");
  return { date, networks };
}
