import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "..", "..", "..");
const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => [name, readFileSync(join(SOURCES, name), "utf8")] as const);

test("only two files write members' rows, and no statement moves a subscription's end past its ledger (ADR 171)", () => {
  const filesWith = (text: RegExp) => sources.flatMap(([name, content]) => (text.test(content) ? [name] : [])).sort();
  const repository = "features/members/members/repository.ts";
  expect(filesWith(/(updateTable|insertInto)\("members( as \w+)?"\)|\b(update|into) members\b/)).toEqual([
    "features/members/members/friends.ts",
    repository,
  ]);
  expect(filesWith(/\.updateTable\("members"\)\s*\.set\(\{[^}]*subscription/)).toEqual([]);
  expect(
    filesWith(/\bsubscription_ledger"\)\s*\.(set|where)|update subscription_ledger|deleteFrom\("subscription_ledger/),
  ).toEqual([]);
  const text = sources.find(([name]) => name === repository)?.[1] ?? "";
  expect(text.match(/subscription_end: end/g)?.length, "its two ways: a new member and moveEnds").toBe(2);
});
