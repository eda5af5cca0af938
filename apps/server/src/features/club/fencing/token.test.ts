import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isSigned, newToken } from "./token.ts";

const club = (key = randomBytes(32)) => ({
  hash: (purpose: string, value: string) =>
    createHmac("sha256", key).update(`${purpose}\0${value}`).digest("base64url"),
});
const own = club();
const said = { club: randomUUID(), number: 2, since: 1_795_000_000_000 };
const token = newToken(own, said);

test("a token is signed for its club, number and time, and no two are alike", () => {
  expect(isSigned(own, { ...said, token })).toBe(true);
  // RFC 9562: version 8, and the variant.
  expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(Array.from({ length: 50 }, () => newToken(own, said))).size).toBe(50);
});

test.each<[string, object]>([
  ["another number", { number: 3 }],
  ["another moment", { since: said.since + 1 }],
  ["another club", { club: randomUUID() }],
  ["no number at all", { number: Number.NaN }],
  ["a token that nobody signed", { token: randomUUID() }],
  ["the first generation's", { token: said.club }],
  ["another club's signature", { token: newToken(club(), said) }],
  ["one in other letters", { token: token.toUpperCase() }],
  ["a piece of one", { token: token.slice(0, 8) }],
  ["nothing", { token: "" }],
])("a token with %s is not valid", (_, lie) => {
  expect(isSigned(own, { ...said, token, ...lie })).toBe(false);
});

test("every bit of a token that is not fixed counts", () => {
  const digits = [...token].map((sign, at) => ({ sign, at })).filter(({ sign, at }) => sign !== "-" && at !== 14);
  for (const { sign, at } of digits) {
    // At index 19 the variant leaves two bits.
    const other = (Number.parseInt(sign, 16) ^ 1).toString(16);
    expect(isSigned(own, { ...said, token: token.slice(0, at) + other + token.slice(at + 1) }), String(at)).toBe(false);
  }
});
