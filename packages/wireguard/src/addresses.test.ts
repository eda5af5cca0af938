import { isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalAddress,
  cidrsOverlap,
  covers,
  everythingBut,
  type Family,
  formatAddress,
  formatCidr,
  minimalCidrs,
  parseCidr,
} from "./addresses.ts";
import { anyNetwork } from "./arbitraries.ts";

describe("reading addresses and networks", () => {
  test.each([
    ["10.8.0.7", "10.8.0.7/32"],
    ["10.8.0.7/24", "10.8.0.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["255.255.255.255/1", "128.0.0.0/1"],
    ["fd00::7", "fd00::7/128"],
    ["FD00:0:0:0:0:0:0:7/64", "fd00::/64"],
    ["2001:DB8::1:0:0:1/128", "2001:db8::1:0:0:1/128"],
    ["::/0", "::/0"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.1/128"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221/128"],
  ])("%s is %s", (text, canonical) => {
    const cidr = parseCidr(text);
    expect(cidr && formatCidr(cidr)).toBe(canonical);
  });

  test.each([
    "",
    "/",
    "10.8.0.7/",
    "10.8.0.7/33",
    "10.8.0.7/-1",
    "10.8.0.7/08",
    "10.8.0.7/+8",
    "10.8.0.7/8.0",
    "10.8.0.7/1e1",
    "10.8.0.7/8/8",
    "10.8.0.7/255.0.0.0",
    "999.1.1.1",
    "1.2",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "0x1.2.3.4",
    "１.2.3.4",
    " 10.8.0.7",
    "10.8.0.7 ",
    "10.8.0.7\n",
    "10.8.0.7/32\nPostUp = reboot",
    "fd00::7/129",
    "fd00::7::",
    "fd00:::7",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "[fd00::7]",
    "fe80::1%eth0",
    "fe80::1%eth0/64",
    "12345::",
    "vpn.example.org",
    "10.8.0.1-10.8.0.9",
    "*",
  ])("%j is invalid", (text) => {
    expect(parseCidr(text)).toBeNull();
  });

  test("first and last are the network's edges as numbers", () => {
    expect(parseCidr("10.8.0.77/30")).toEqual({
      family: 4,
      network: "10.8.0.76",
      prefix: 30,
      first: 0x0a08004cn,
      last: 0x0a08004fn,
    });
    expect(parseCidr("fd00::/64")).toMatchObject({
      family: 6,
      first: 0xfd00n << 112n,
      last: (0xfd00n << 112n) + 2n ** 64n - 1n,
    });
  });
});

describe("writing addresses", () => {
  // The left and right columns of RFC 5952, sections 1 to 5.
  test.each([
    ["2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:0:0:0:2:1", "2001:db8::2:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["2001:DB8::AbCd", "2001:db8::abcd"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["1:0:0:0:0:0:0:0", "1::"],
    ["::ffff:c000:201", "::ffff:192.0.2.1"],
  ])("%s is written %s", (long, short) => {
    expect(canonicalAddress(long)).toBe(short);
  });

  test("every number written reads back as the same number, in one canonical text", () => {
    const zeros = fc.array(fc.constantFrom(0n, 0n, 1n, 0xffffn, 0xabcdn), { minLength: 8, maxLength: 8 });
    const v6 = zeros.map((groups) => groups.reduce<bigint>((sum, group) => (sum << 16n) | group, 0n));
    const any = fc.oneof(
      fc.tuple(fc.constant<Family>(4), fc.bigInt(0n, 2n ** 32n - 1n)),
      fc.tuple(fc.constant<Family>(6), fc.oneof(v6, fc.bigInt(0n, 2n ** 128n - 1n))),
    );
    fc.assert(
      fc.property(any, ([family, value]) => {
        const text = formatAddress(family, value);
        expect(isIP(text)).toBe(family);
        expect(parseCidr(text)).toMatchObject({ family, first: value, last: value });
        expect(canonicalAddress(text)).toBe(text);
        // The platform's own parser as a second opinion.
        if (family === 6 && !text.includes(".")) expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [4 as const, 2n ** 32n],
    [4 as const, -1n],
    [6 as const, 2n ** 128n],
  ])("IPv%i has no address %s", (family, value) => {
    expect(() => formatAddress(family, value)).toThrow(RangeError);
  });
});

/** A universe of 64 addresses at `base`, small enough to check every set address by address. */
const UNIVERSE = 64;
const universes = [
  { family: 4 as const, base: 0x0a080000n, bits: 32 },
  { family: 4 as const, base: 2n ** 32n - 64n, bits: 32 },
  { family: 6 as const, base: 0xfd00n << 112n, bits: 128 },
  { family: 6 as const, base: 2n ** 128n - 64n, bits: 128 },
];
const block = fc.tuple(fc.nat(UNIVERSE - 1), fc.integer({ min: 0, max: 5 }));
const blocks = fc.array(block, { maxLength: 40 });

function texts(universe: (typeof universes)[number], list: readonly (readonly [number, number])[]): string[] {
  return list.map(([at, hostBits]) => {
    const address = formatAddress(universe.family, universe.base + BigInt(at));
    return hostBits === 0 && at % 2 === 0 ? address : `${address}/${universe.bits - hostBits}`;
  });
}

function members(list: readonly (readonly [number, number])[]): boolean[] {
  return Array.from({ length: UNIVERSE }, (_, at) => list.some(([of, hostBits]) => at >> hostBits === of >> hostBits));
}

/** The fewest blocks that make up `set`, by halving the universe. */
function fewest(set: readonly boolean[]): number {
  if (set.every(Boolean)) return 1;
  if (!set.some(Boolean)) return 0;
  return fewest(set.slice(0, set.length / 2)) + fewest(set.slice(set.length / 2));
}

describe.each(universes)("a minimal set of IPv$family networks at $base", (universe) => {
  test("covers exactly the union with the fewest possible networks, ascending", () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const result = minimalCidrs(texts(universe, list)).map((text) => parseCidr(text)!);
        const covered = Array.from({ length: UNIVERSE }, (_, at) =>
          result.some(({ first, last }) => first <= universe.base + BigInt(at) && universe.base + BigInt(at) <= last),
        );
        expect(covered).toEqual(members(list));
        expect(result.every(({ first, last }) => first >= universe.base && last < universe.base + 64n)).toBe(true);
        expect(result.length).toBe(fewest(members(list)));
        expect(result.every((cidr, index) => index === 0 || result[index - 1]!.last < cidr.first)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("does not depend on the order, and minimizing it again changes nothing", () => {
    fc.assert(
      fc.property(blocks, (list) => {
        const result = minimalCidrs(texts(universe, list));
        expect(minimalCidrs(texts(universe, list).reverse())).toEqual(result);
        expect(minimalCidrs(result)).toEqual(result);
      }),
    );
  });

  test("decides for every address and network whether it is inside", () => {
    fc.assert(
      fc.property(blocks, block, (list, asked) => {
        const inside = members([asked]).every((isAsked, at) => !isAsked || members(list)[at]);
        expect(covers(texts(universe, list), texts(universe, [asked])[0]!)).toBe(inside);
      }),
      { numRuns: 300 },
    );
  });

  test("two networks overlap if they share an address", () => {
    fc.assert(
      fc.property(block, block, (a, b) => {
        const [left = "", right = ""] = texts(universe, [a, b]);
        const both = members([a]).some((isIn, at) => isIn && members([b])[at]);
        expect(cidrsOverlap(left, right)).toBe(both);
      }),
    );
  });
});

describe("minimal sets", () => {
  test("IPv4 comes before IPv6, and the families never mix", () => {
    expect(minimalCidrs(["::/1", "128.0.0.0/1", "8000::/1", "0.0.0.0/1", "::1"])).toEqual(["0.0.0.0/0", "::/0"]);
    expect(covers(["0.0.0.0/0"], "::1")).toBe(false);
    expect(covers(["::/0"], "10.8.0.1")).toBe(false);
    expect(cidrsOverlap("0.0.0.0/0", "::/0")).toBe(false);
  });

  test("empty in, empty out", () => {
    expect(minimalCidrs([])).toEqual([]);
    expect(covers([], "10.8.0.1")).toBe(false);
  });

  test("an invalid entry is refused and named, not skipped", () => {
    expect(() => minimalCidrs(["10.0.0.0/8", "999.1.1.1"])).toThrow(/999\.1\.1\.1/);
    expect(() => covers(["10.0.0.0/8"], "10.0.0.256")).toThrow(RangeError);
  });

  test("halves and quarters of everything are everything", () => {
    const around = minimalCidrs(["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3", "240.0.0.0/4", "224.0.0.0/4"]);
    expect(around).toEqual(["0.0.0.0/0"]);
  });
});

describe("everything but a list", () => {
  const anyList = fc.array(anyNetwork, { maxLength: 12 });
  const sizeOf = (list: readonly string[]) =>
    list.reduce((sum, one) => {
      const { first, last } = parseCidr(one) ?? expect.unreachable();
      return sum + last - first + 1n;
    }, 0n);

  test("with the list it is every address, without one in both; and the fewest networks", () => {
    fc.assert(
      fc.property(anyList, (list) => {
        const rest = everythingBut(list);
        expect(minimalCidrs([...rest, ...list])).toEqual(["0.0.0.0/0", "::/0"]);
        // All of both together, and no more addresses than that: so they share none.
        expect(sizeOf(rest) + sizeOf(minimalCidrs(list))).toBe(2n ** 32n + 2n ** 128n);
        expect(minimalCidrs(rest)).toEqual(rest);
      }),
      { numRuns: 40 },
    );
  });

  test("of everything but a list is the list again", () => {
    fc.assert(
      fc.property(anyList, (list) => {
        expect(everythingBut(everythingBut(list))).toEqual(minimalCidrs(list));
      }),
      { numRuns: 40 },
    );
  });
});
