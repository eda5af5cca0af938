import type { FoundAddresses, Names } from "../src/platform/names.ts";

export interface FakeNames extends Names {
  /** Addresses by name; a missing name does not exist. */
  readonly known: Map<string, FoundAddresses>;
  /** While true, no resolver answers. */
  away: boolean;
  /** Names in the order of the queries. */
  readonly asked: string[];
}

/** A resolver that only knows what it is given, instead of the internet's. */
export function makeFakeNames(known: Record<string, readonly string[]> = {}): FakeNames {
  const isV6 = (address: string) => address.includes(":");
  const names: FakeNames = {
    known: new Map(
      Object.entries(known).map(([name, addresses]) => [
        name,
        { v4: addresses.filter((address) => !isV6(address)), v6: addresses.filter(isV6) },
      ]),
    ),
    away: false,
    asked: [],
    async find(name) {
      names.asked.push(name);
      return names.away ? { v4: null, v6: null } : (names.known.get(name) ?? { v4: [], v6: [] });
    },
  };
  return names;
}
