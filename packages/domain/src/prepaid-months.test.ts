import fc from "fast-check";
import { expect, test } from "vitest";
import { endWithout } from "./payment-rules.ts";
import { monthsAfter } from "./period.ts";
import { grantedMonths, PAYMENT_LENGTHS, sharesOf } from "./prepaid-months.ts";

const UTC = { toWall: (at: number) => at, fromWall: (wall: number) => wall };
const at = (iso: string) => Date.parse(`${iso}Z`);
const days = (grants: ReturnType<typeof grantedMonths>) =>
  grants.map(({ until }) => new Date(until).toISOString().slice(0, 10));

test("the shares of a sum add up to it exactly, and differ by a hundredth at most", () => {
  expect(sharesOf(10_000, 3)).toEqual([3_334, 3_333, 3_333]);
  expect(sharesOf(2, 3)).toEqual([1, 1, 0]);
  fc.assert(
    fc.property(fc.nat(99_999_999_999), fc.constantFrom(...PAYMENT_LENGTHS), (sum, months) => {
      const shares = sharesOf(sum, months);
      expect(shares).toHaveLength(months);
      expect(shares.reduce((total, share) => total + share, 0)).toBe(sum);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
  );
});

test("months follow each other over the end of a year and keep the anchor day", () => {
  expect(monthsAfter("2026-11", 2)).toBe("2027-01");
  expect(monthsAfter("2026-01", -1)).toBe("2025-12");
  const standing = { now: at("2027-01-05T12:00:00"), subscriptionEnd: at("2027-01-31T23:59:59"), anchorDay: 31 };
  expect(days(grantedMonths(3, standing, UTC))).toEqual(["2027-02-28", "2027-03-31", "2027-04-30"]);
});

test("several months give what as many single payments in a row give, and taking them back leaves the end before", () => {
  const day = fc.integer({ min: at("2024-01-01T00:00:00"), max: at("2032-01-01T00:00:00") });
  fc.assert(
    fc.property(day, fc.option(day), fc.constantFrom(...PAYMENT_LENGTHS), (now, end, months) => {
      const standing = { now, subscriptionEnd: end, anchorDay: null };
      const grants = grantedMonths(months, standing, UTC);
      expect(grants).toHaveLength(months);
      const left = grants.reduceRight<number | null>(
        (until, grant) => endWithout(grant, until, UTC),
        grants.at(-1)?.until ?? null,
      );
      expect(left).toBe(end);
    }),
  );
});
