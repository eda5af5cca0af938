import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cacheFolder, clearOldCache } from "./cache-for-tests.mjs";

let root: string;
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const folder = () => cacheFolder(join(root, "cache"), root);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "krug-cache-"));
  for (const file of ["tsconfig.json", "tsconfig.base.json", "apps/web/tsconfig.json", "packages/domain/package.json"])
    put(file, "{}");
});
afterEach(() => rmSync(root, { recursive: true }));

test("the next run finds what the last one kept", () => {
  expect(folder()).toBe(folder());
});

test.each(["tsconfig.base.json", "apps/web/tsconfig.json", "packages/domain/package.json", "apps/web/package.json"])(
  "a changed %s makes all of it new",
  (file) => {
    const before = folder();
    put(file, '{ "changed": true }');
    expect(folder()).not.toBe(before);
  },
);

test("what is older than two weeks is removed", () => {
  put("cache/one/old", "");
  put("cache/one/new", "");
  const longAgo = new Date(Date.now() - 15 * 86_400_000);
  utimesSync(join(root, "cache/one/old"), longAgo, longAgo);
  clearOldCache(join(root, "cache"));
  expect(readdirSync(join(root, "cache/one"))).toEqual(["new"]);
});
