import "./node-version.mjs";
import { ensureBuilt } from "./build.mjs";
import { runChecks } from "./check.mjs";
import { ensureInstalled } from "./install.mjs";
import { leftOut } from "./system-packages.mjs";
import { runTests } from "./vitest-run.mjs";

// `npm test` runs all there is; `npm test -- rules journeys some-file` only what is named, and skips the checks then.
const KINDS = ["toolchain", "rules", "features-sqlite", "features-postgres", "screens", "build", "journeys", "lab"];
const NEED_THE_BUILD = ["build", "journeys", "lab"];
/** A complete run also brings the machine what it lacks, and has ten minutes more. */
const LONGEST_MS = (process.env.CI === "true" ? 38 : 29) * 60_000;

const startedAt = Date.now();
const isComplete = process.env.CI === "true"; // nothing may be left out
const wanted = process.argv.slice(2);
const named = KINDS.filter((kind) => wanted.includes(kind));
const filters = wanted.filter((word) => !KINDS.includes(word));
const kinds = named.length > 0 ? named : KINDS;

let passed = 0;
/** @type {string[]} */
const failed = [];
try {
  await ensureInstalled();
  const reasons = await leftOut(kinds);
  const runnable = kinds.filter((kind) => !reasons.has(kind));
  if (wanted.length === 0) failed.push(...(await runChecks()).map((name) => `check: ${name}`));
  if (runnable.some((kind) => NEED_THE_BUILD.includes(kind))) await ensureBuilt();

  const tests = await runTests({ kinds: runnable, filters, timeoutMs: LONGEST_MS - (Date.now() - startedAt) });
  passed = tests.passed;
  failed.push(...tests.failed);
  if (wanted.length === 0) failed.push(...tests.empty.map((kind) => `${kind}: no test was found`));
  const missed = [...[...reasons].map(([kind, reason]) => `${kind} (${reason})`), ...tests.skipped];
  for (const name of missed) console.log(`left out: ${name}`);
  if (isComplete) failed.push(...missed.map((name) => `left out: ${name}`));
} catch (error) {
  console.error(error);
  failed.push(error instanceof Error ? error.message : String(error));
}
if (passed + failed.length === 0) failed.push("no test ran");

for (const name of failed) console.log(`failed: ${name.split("\n")[0]}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
