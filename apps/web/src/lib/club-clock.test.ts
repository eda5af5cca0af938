import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clubNow, hearClubTime, inClub, onCorrection, setAhead } from "./club-clock.ts";

const HOUR_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: 100 * HOUR_MS }));
afterEach(() => {
  setAhead(0);
  vi.useRealTimers();
});

test.each([-24, -0.1, 0.1, 24])("a device whose clock is %d hours off shows the club's time", (hours) => {
  const club = Date.now() + hours * HOUR_MS;
  hearClubTime(club, Date.now() - 200);
  expect(Math.abs(clubNow() - club)).toBeLessThanOrEqual(200);
  expect(inClub(Date.now() - 5_000)).toBe(clubNow() - 5_000);
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect(Math.abs(clubNow() - club - HOUR_MS)).toBeLessThanOrEqual(200);
});

test("a slow answer changes the clock only as far as it must", () => {
  hearClubTime(Date.now() + HOUR_MS, Date.now());
  const known = clubNow();
  hearClubTime(known - 9_000, Date.now() - 25_000);
  expect(clubNow()).toBe(known);
});

test("after the device's clock is set, the next answer corrects the time", () => {
  hearClubTime(Date.now() + 24 * HOUR_MS, Date.now());
  const club = clubNow() + 60_000;
  vi.setSystemTime(club);
  hearClubTime(club, club - 100);
  expect(Math.abs(clubNow() - club)).toBeLessThanOrEqual(100);
  // Set while the answer was on its way, so the answer shows nothing.
  hearClubTime(club, club + HOUR_MS, club);
  expect(Math.abs(clubNow() - club)).toBeLessThanOrEqual(100);
});

test("an answer without a time, such as a proxy's, changes nothing", () => {
  hearClubTime(Number.NaN, Date.now());
  expect(clubNow()).toBe(Date.now());
});

test("the page is redrawn after a visible correction only", () => {
  const corrected = vi.fn();
  const stop = onCorrection(corrected);
  hearClubTime(Date.now() + 400, Date.now());
  expect(corrected).not.toHaveBeenCalled();
  hearClubTime(Date.now() + HOUR_MS, Date.now());
  expect(corrected).toHaveBeenCalledOnce();
  stop();
});

const WEB = join(import.meta.dirname, "../..");
/** What may read the device's own clock: one module of the page, and the worker, which compares it with itself. */
const MAY_READ = ["src/lib/club-clock.ts", "build/worker.js"];

/** Lines that read the device's clock. */
function readsOfTheClock(file: string): number[] {
  const source = ts.createSourceFile(file, readFileSync(join(WEB, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: number[] = [];
  const look = (node: ts.Node): void => {
    const isNow =
      ts.isPropertyAccessExpression(node) && node.name.text === "now" && node.expression.getText(source) === "Date";
    const isNew =
      ts.isNewExpression(node) && node.expression.getText(source) === "Date" && !(node.arguments?.length ?? 0);
    const isCalled = ts.isCallExpression(node) && node.expression.getText(source) === "Date";
    if (isNow || isNew || isCalled) found.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    node.forEachChild(look);
  };
  look(source);
  return found;
}

test("only one module of the page reads the device's clock, because it may be wrong", () => {
  const files = ["src", "public", "build"].flatMap((folder) =>
    readdirSync(join(WEB, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const ours = files.filter((file) => /\.(tsx?|js)$/.test(file) && !/\.test\.tsx?$|^src\/testing\//.test(file));
  expect(ours.length).toBeGreaterThan(400);
  const reads = ours.flatMap((file) => readsOfTheClock(file).map((line) => `${file}:${line}`));
  expect(reads.filter((read) => !MAY_READ.some((file) => read.startsWith(`${file}:`)))).toEqual([]);
  for (const file of MAY_READ) expect(readsOfTheClock(file), file).not.toEqual([]);
});
