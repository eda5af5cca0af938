import type { FoundAddresses, Names } from "../platform/names.ts";

export interface FakeNames extends Names {
  /** What is found by name; what is not in it is no name at all. */
  readonly known: Map<string, FoundAddresses>;
  /** While true, nobody answers. */
  away: boolean;
  /** Names in the order they were asked for. */
  readonly asked: string[];
}

/** A resolver that knows what it is told, in place of the world's. */
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
