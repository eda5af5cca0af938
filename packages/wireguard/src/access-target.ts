import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { covers, parseCidr } from "./addresses.ts";
import { CLOSED_NETWORKS } from "./closed-networks.ts";
import { isEndpointHost } from "./endpoint.ts";

/**
 * What an access rule is about. `network`: an address (without prefix) or a network, canonical, host bits masked off. `name`:
 * a domain name in ASCII and lower case, of at least two labels; wildcards and bare labels are none.
 */
export type AccessTarget = { kind: "network"; text: string } | { kind: "name"; text: string };

const NON_ASCII = /[^ -~]/;

/** Reads what a person typed; null where it is neither an address, a network nor a name. */
export function parseAccessTarget(typed: string): AccessTarget | null {
  const text = typed.trim();
  const cidr = parseCidr(text);
  if (cidr !== null) {
    const isAddress = cidr.first === cidr.last;
    return { kind: "network", text: isAddress ? cidr.network : `${cidr.network}/${cidr.prefix}` };
  }
  const bare = text.replace(/\.$/, "");
  // Names that are ASCII already are not put through it: of '1.2' it would make an address.
  const name = NON_ASCII.test(bare) ? domainToASCII(bare) : bare.toLowerCase();
  const isName = name.includes(".") && isIP(name) === 0 && isEndpointHost(name);
  return isName ? { kind: "name", text: name } : null;
}

/** As people write it: 'xn--e1afmkfd.xn--p1ai' is 'пример.рф'. */
export function accessTargetForPeople({ kind, text }: AccessTarget): string {
  return kind === "name" ? domainToUnicode(text) || text : text;
}

/** Is all of this network closed to everybody anyway, so that no rule about it would change anything? */
export function isAlwaysClosed(network: string): boolean {
  return covers(
    CLOSED_NETWORKS.map(({ cidr }) => cidr),
    network,
  );
}
