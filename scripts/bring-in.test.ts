import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bringIn } from "./bring-in.mjs";

const DAY_MS = 24 * 60 * 60_000;

/** A build: two pages and a program, each naming a part that carries the build's number. */
const build = (number: number) => ({
  "assets/shared.js": "the same in each build",
  [`assets/page-${number}.js`]: `page ${number}`,
  "index.html": `assets/page-${number}.js assets/shared.js`,
  "login.html": `assets/page-${number}.js`,
  "main.js": `chunk-${number}.js`,
  [`chunk-${number}.js`]: `chunk ${number}`,
});

function folders() {
  const root = mkdtempSync(join(tmpdir(), "krug-build-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dist = join(root, "dist");
  const bring = (number: number, now: number, move?: (from: string, to: string) => void) => {
    const fresh = join(root, "fresh");
    rmSync(fresh, { recursive: true, force: true });
    for (const [file, text] of Object.entries(build(number))) {
      mkdirSync(dirname(join(fresh, file)), { recursive: true });
      writeFileSync(join(fresh, file), text);
    }
    bringIn(fresh, dist, now, move);
  };
  const has = () => readdirSync(dist, { recursive: true }).map(String);
  /** Named files that are missing. */
  const missing = () =>
    ["index.html", "login.html", "main.js"]
      .filter((entry) => has().includes(entry))
      .flatMap((entry) => readFileSync(join(dist, entry), "utf8").split(" "))
      .filter((file) => !has().includes(file));
  return { dist, bring, has, missing };
}

test("files an older build's page needs are served for a day after the newer build, then removed", () => {
  const { bring, has } = folders();
  bring(1, 0);
  bring(2, 10 * DAY_MS);
  expect(has()).toEqual(expect.arrayContaining(["assets/page-1.js", "chunk-1.js", "assets/page-2.js", "chunk-2.js"]));
  bring(3, 10.9 * DAY_MS);
  expect(has()).toContain("assets/page-1.js");
  bring(4, 11.1 * DAY_MS);
  expect(has()).not.toContain("assets/page-1.js");
  expect(has()).not.toContain("chunk-1.js");
  expect(has()).toEqual(expect.arrayContaining(["assets/page-2.js", "assets/page-3.js", "assets/page-4.js"]));
});

test("a file that returns in a newer build counts as current again", () => {
  const { bring, has } = folders();
  for (const [number, day] of [
    [1, 0],
    [2, 1],
    [1, 1.5],
    [3, 3],
  ] as const)
    bring(number, day * DAY_MS);
  expect(has()).toContain("assets/page-1.js");
});

test("wherever bringing in a build is interrupted, each page and program finds everything it names", () => {
  for (const before of [[], [1]]) {
    for (let cutAt = 0; cutAt < Object.keys(build(2)).length; cutAt++) {
      const { bring, has, missing } = folders();
      for (const number of before) bring(number, 0);
      let moves = 0;
      const cut = (from: string, to: string) => {
        if (moves++ === cutAt) throw new Error("cut off");
        renameSync(from, to);
      };
      expect(() => bring(2, DAY_MS, cut)).toThrow("cut off");
      expect(before.length === 0 || has().includes("index.html")).toBe(true);
      if (cutAt > 0) expect(missing(), `after ${cutAt} files`).toEqual([]);
      bring(2, DAY_MS);
      expect(missing()).toEqual([]);
    }
  }
});
