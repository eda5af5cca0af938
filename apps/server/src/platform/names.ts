import { Resolver } from "node:dns/promises";
import { MOST_ADDRESSES_OF_A_NAME } from "@krug/domain/access-rules";
import { canonicalAddress } from "@krug/wireguard/addresses";

/** A name's addresses, canonical as the resolver returns them. Null if no resolver could answer, empty if there are none. */
export interface FoundAddresses {
  v4: string[] | null;
  v6: string[] | null;
  /** Whether the name exists, even if only names below it have addresses. */
  exists?: boolean;
}

/** The machine's resolver, as a port: it looks up names on the internet. */
export interface Names {
  /** Never throws; answers within a few seconds. */
  find(name: string): Promise<FoundAddresses>;
}

/** Twice this, plus the wait in between, is the longest that adding a rule waits for DNS. */
const TIMEOUT_MS = 1_200;

/** Asks the machine's resolvers (resolv.conf) for A and AAAA, following CNAMEs. */
export const systemNames: Names = {
  async find(name) {
    // A new one each time: it reads resolv.conf when created.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    const [v4, v6] = await Promise.all([answerTo(resolver.resolve4(name)), answerTo(resolver.resolve6(name))]);
    return { v4: v4.addresses, v6: v6.addresses, exists: v4.exists || v6.exists };
  },
};

/** An answer over TCP has room for thousands; IPv4 first. */
export const boundedAddresses = (addresses: readonly string[]) => addresses.slice(0, MOST_ADDRESSES_OF_A_NAME);

/**
 * A name's known addresses after a look-up, canonical, IPv4 first: new addresses replace the known ones; a failed look-up, or a
 * name that has none now, changes nothing.
 */
export function addressesAfter(known: readonly string[], found: FoundAddresses): string[] {
  const isV6 = (address: string) => address.includes(":");
  const none = found.v4?.length === 0 && found.v6?.length === 0;
  const next = none
    ? known
    : [...(found.v4 ?? known.filter((address) => !isV6(address))), ...(found.v6 ?? known.filter(isV6))];
  const canonical = [...new Set(next.flatMap((address) => canonicalAddress(address) ?? []))].sort();
  return boundedAddresses([...canonical.filter((address) => !isV6(address)), ...canonical.filter(isV6)]);
}

/** NXDOMAIN or no records is an answer; a failure is null. */
const answerTo = (asked: Promise<string[]>): Promise<{ addresses: string[] | null; exists: boolean }> =>
  asked.then(
    (addresses) => ({ addresses, exists: true }),
    ({ code }: NodeJS.ErrnoException) => ({
      addresses: code === "ENOTFOUND" || code === "ENODATA" ? [] : null,
      exists: code === "ENODATA",
    }),
  );
