import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { covers, parseCidr } from "./addresses.ts";
import { CLOSED_NETWORKS } from "./closed-networks.ts";
import { isEndpointHost } from "./endpoint.ts";

/**
 * What an access rule targets. `network`: an address (without prefix) or a network, canonical, host bits masked off. `name`:
 * a domain name in ASCII and lower case with at least two labels; no wildcards or bare labels.
 */
export type AccessTarget = { kind: "network"; text: string } | { kind: "name"; text: string };

const NON_ASCII = /[^ -~]/;

/** Parses what a person typed; null if it is neither an address, a network nor a name. */
export function parseAccessTarget(typed: string): AccessTarget | null {
  const text = typed.trim();
  const cidr = parseCidr(text);
  if (cidr !== null) {
    const isAddress = cidr.first === cidr.last;
    return { kind: "network", text: isAddress ? cidr.network : `${cidr.network}/${cidr.prefix}` };
  }
  const bare = text.replace(/\.$/, "");
  // ASCII names skip this: it would turn '1.2' into an address.
  const name = NON_ASCII.test(bare) ? domainToASCII(bare) : bare.toLowerCase();
  const isName = name.includes(".") && isIP(name) === 0 && isEndpointHost(name);
  return isName ? { kind: "name", text: name } : null;
}

/** For display: 'xn--e1afmkfd.xn--p1ai' becomes 'пример.рф'. */
export function accessTargetForPeople({ kind, text }: AccessTarget): string {
  return kind === "name" ? domainToUnicode(text) || text : text;
}

/** Is all of this network always closed to everybody, so that a rule about it would change nothing? */
export function isAlwaysClosed(network: string): boolean {
  return covers(
    CLOSED_NETWORKS.map(({ cidr }) => cidr),
    network,
  );
}
