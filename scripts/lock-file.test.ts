import { expect, test } from "vitest";
import { missingBinaries } from "./lock-file.mjs";

const lockOf = (...held: string[]) => ({
  packages: {
    "node_modules/lint": {
      optionalDependencies: {
        "@lint/cli-linux-x64": "1.0.0",
        "@lint/cli-linux-x64-musl": "1.0.0",
        "@lint/cli-darwin-arm64": "1.0.0",
        "@lint/cli-win32-x64": "1.0.0",
      },
    },
    ...Object.fromEntries(held.map((name) => [`node_modules/${name}`, {}])),
  },
});

test("a lock file holds a binary for every platform we develop and run on", () => {
  expect(missingBinaries(lockOf("@lint/cli-linux-x64", "@lint/cli-linux-x64-musl", "@lint/cli-darwin-arm64"))).toEqual(
    [],
  );
  expect(missingBinaries(lockOf("@lint/cli-linux-x64"))).toEqual([
    "@lint/cli-linux-x64-musl",
    "@lint/cli-darwin-arm64",
  ]);
});

test("a binary nested inside another package counts", () => {
  const lock = lockOf("@lint/cli-linux-x64", "@lint/cli-linux-x64-musl", "lint/node_modules/@lint/cli-darwin-arm64");
  expect(missingBinaries(lock)).toEqual([]);
});
