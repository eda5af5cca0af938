import fc from "fast-check";
import { expect, test } from "vitest";
import { cidrsOverlap, covers, formatAddress, minimalCidrs } from "./addresses.ts";
import { closestCover } from "./closest-cover.ts";

const SPACE = 16;
const at = (n: number) => formatAddress(4, 0x08080800n + BigInt(n));
/** Every network of 8.8.8.0/28. */
const EVERY = [28, 29, 30, 31, 32].flatMap((prefix) =>
  Array.from({ length: 2 ** (prefix - 28) }, (_, n) => `${at(n * 2 ** (32 - prefix))}/${prefix}`),
);
const sizeOf = (network: string) => 2 ** (32 - Number(network.split("/")[1]));

/** Tries every set of up to `most` networks. */
function leastExtra(list: readonly string[], most: number): number {
  let least = Number.POSITIVE_INFINITY;
  const look = (chosen: readonly string[], from: number) => {
    if (chosen.length > 0 && list.every((one) => covers(chosen, one)))
      least = Math.min(least, minimalCidrs(chosen).reduce((sum, one) => sum + sizeOf(one), 0) - list.length);
    if (chosen.length < most)
      for (const [index, network] of EVERY.slice(from).entries()) look([...chosen, network], from + index + 1);
  };
  look([], 0);
  return least;
}

test("no cover has fewer extra addresses: compared with every other one in a small space", () => {
  const wish = fc.uniqueArray(fc.nat(SPACE - 1), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(wish, fc.integer({ min: 1, max: 2 }), (numbers, most) => {
      const list = numbers.map((n) => `${at(n)}/32`);
      const cover = closestCover(list, most);
      expect(cover?.extra.v4).toBe(leastExtra(list, most));
    }),
    { numRuns: 40 },
  );
});

const anyList = fc.uniqueArray(
  fc.oneof(
    fc
      .tuple(fc.nat(2 ** 24), fc.integer({ min: 20, max: 32 }))
      .map(([n, p]) => `${formatAddress(4, 0x08000000n + BigInt(n))}/${p}`),
    fc
      .tuple(fc.bigInt(0n, 1n << 96n), fc.integer({ min: 32, max: 128 }))
      .map(([n, p]) => `${formatAddress(6, (0x2001_0db8n << 96n) + n)}/${p}`),
  ),
  { minLength: 2, maxLength: 60 },
);

test("whatever the list, all of it is covered, by no more networks than allowed, with the exact cost", () => {
  fc.assert(
    fc.property(anyList, fc.integer({ min: 2, max: 70 }), (list, most) => {
      const cover = closestCover(list, most) ?? expect.unreachable();
      expect(cover.networks.length).toBeLessThanOrEqual(most);
      for (const one of list) expect(covers(cover.networks, one)).toBe(true);
      const size = (networks: readonly string[]) =>
        minimalCidrs(networks).reduce((sum, one) => (one.includes(":") ? sum : sum + sizeOf(one)), 0);
      expect(cover.extra.v4).toBe(size(cover.networks) - size(list));
      if (minimalCidrs(list).length <= most) expect(cover.extra).toEqual({ v4: 0, v6: 0 });
    }),
    { numRuns: 60 },
  );
});

test("more networks never cost more", () => {
  const list = Array.from({ length: 60 }, (_, n) => `${formatAddress(4, 0x08000000n + BigInt(n * n * 17))}/32`);
  const costs = Array.from({ length: 61 }, (_, n) => closestCover(list, n)?.extra.v4 ?? Number.POSITIVE_INFINITY);
  expect(costs).toEqual([...costs].sort((one, other) => other - one));
  expect(costs.at(-1)).toBe(0);
});

test.each([
  [["9.255.255.255", "11.0.0.0"], "10.0.0.0/8"],
  [["126.0.0.1", "128.0.0.1"], "127.0.0.0/8"],
  [["192.167.0.1", "192.169.0.1"], "192.168.0.0/16"],
  [["100.63.0.1", "100.128.0.1"], "100.64.0.0/10"],
])("nothing private or special is covered by the way: %j", (list, special) => {
  expect(closestCover(list, 1)).toBeNull();
  expect(closestCover(list, 2)?.networks.some((network) => cidrsOverlap(network, special))).toBe(false);
});

test("the servers' own networks are covered only if requested, whatever the list", () => {
  const network = fc
    .tuple(fc.nat(SPACE - 1), fc.integer({ min: 29, max: 32 }))
    .map(([n, prefix]) => `${at(n)}/${prefix}`);
  const some = fc.array(network, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(some, some, fc.integer({ min: 1, max: 8 }), (list, own, most) => {
      const cover = closestCover(list, most, own);
      const allowed = minimalCidrs([...list, ...EVERY.filter((one) => !own.some((each) => cidrsOverlap(each, one)))]);
      for (const one of cover?.networks ?? []) expect(covers(allowed, one), one).toBe(true);
      if (minimalCidrs(list).length <= most) expect(cover?.extra.v4).toBe(0);
    }),
  );
  expect(closestCover(["8.8.8.0", "8.8.8.3"], 1, ["8.8.8.2"])).toBeNull();
  expect(closestCover(["8.8.8.0", "8.8.8.2/31"], 1, ["8.8.8.3"])?.networks).toEqual(["8.8.8.0/30"]);
});

test("closed networks that are requested are covered", () => {
  expect(closestCover(["10.0.0.0/24", "8.8.8.8"], 2)?.networks).toEqual(["8.8.8.8/32", "10.0.0.0/24"]);
});

test("an empty list needs no network, and both families need one each", () => {
  expect(closestCover([], 120)?.networks).toEqual([]);
  expect(closestCover(["8.8.8.8", "2001:db8::1"], 1)).toBeNull();
});
