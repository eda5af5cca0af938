import "./node-version.mjs";
import { ensureBuilt } from "./build.mjs";
import { runChecks } from "./check.mjs";
import { ensureInstalled } from "./install.mjs";
import { leftOut } from "./system-packages.mjs";
import { runTests } from "./vitest-run.mjs";

// `npm test` runs everything, `npm test -- quick` what most changes need; `npm test -- rules journeys some-file` only what
// is named, without the checks.
const COMPUTING = ["toolchain", "rules", "features-sqlite", "features-postgres", "screens"];
const AGAINST_THE_BUILD = ["build", "journeys"];
const BESIDE_THEM = ["every-screen", "lab"];
const KINDS = [...COMPUTING, ...AGAINST_THE_BUILD, ...BESIDE_THEM];
const QUICK = ["rules", "features-sqlite", "screens", "journeys"];
const QUICK_JOURNEYS = ["invite-to-tunnel", "paying", "admin-users"];
/** Ends what hangs. It measures nothing: a busy machine, or one that must install everything first, may take this long. */
const LONGEST_MS = 40 * 60_000;
const SLOWEST = 10;

const startedAt = Date.now();
const isComplete = process.env.CI === "true"; // nothing may be left out
const wanted = process.argv.slice(2);
const isQuick = wanted.includes("quick");
const withChecks = isQuick || wanted.length === 0;
const named = KINDS.filter((kind) => wanted.includes(kind));
const filters = wanted.filter((word) => word !== "quick" && !KINDS.includes(word));
const kinds = named.length > 0 ? named : isQuick ? QUICK : KINDS;

let passed = 0;
/** @type {string[]} */
const failed = [];
try {
  await ensureInstalled();
  const reasons = await leftOut(kinds);
  const these = (/** @type {string[]} */ some) => some.filter((kind) => kinds.includes(kind) && !reasons.has(kind));
  /** @type {Awaited<ReturnType<typeof runTests>>[]} */
  const ends = [];
  const run = async (/** @type {string[]} */ some, /** @type {string[]} */ only = filters) => {
    ends.push(await runTests({ kinds: these(some), filters: only, timeoutMs: LONGEST_MS - (Date.now() - startedAt) }));
  };

  const prepare = async () => {
    if (withChecks) failed.push(...(await runChecks(1)).map((name) => `check: ${name}`));
    if (these([...AGAINST_THE_BUILD, ...BESIDE_THEM]).length > 0) await ensureBuilt();
  };
  await Promise.all([prepare(), run(COMPUTING)]);
  // Most of these wait for time to pass rather than compute. They share neither ports nor the machine's network.
  const journeys = isQuick && filters.length === 0 ? QUICK_JOURNEYS : filters;
  await Promise.all([run(AGAINST_THE_BUILD, journeys), ...BESIDE_THEM.map((kind) => run([kind]))]);

  passed = ends.reduce((sum, end) => sum + end.passed, 0);
  failed.push(...ends.flatMap((end) => end.failed));
  if (withChecks) failed.push(...ends.flatMap((end) => end.empty).map((kind) => `${kind}: no test was found`));
  const missed = [...[...reasons].map(([kind, why]) => `${kind} (${why})`), ...ends.flatMap((end) => end.skipped)];
  for (const name of missed) console.log(`left out: ${name}`);
  if (isComplete) failed.push(...missed.map((name) => `left out: ${name}`));

  const slowest = ends.flatMap(({ files }) => files).sort((one, other) => other.seconds - one.seconds);
  for (const { name, seconds } of slowest.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(0).padStart(4)} s  ${name}`);
} catch (error) {
  console.error(error);
  failed.push(error instanceof Error ? error.message : String(error));
}
if (passed + failed.length === 0) failed.push("no test ran");

for (const failure of failed) console.log(`failed: ${failure.replaceAll("\n", "\n        ")}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
