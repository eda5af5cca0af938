import "./node-version.mjs";
import { ensureBuilt } from "./build.mjs";
import { clearOldCache } from "./cache-for-tests.mjs";
import { runChecks } from "./check.mjs";
import { ensureInstalled } from "./install.mjs";
import { leftOut } from "./system-packages.mjs";
import { runTests } from "./vitest-run.mjs";

// `npm test` runs everything, `npm test -- quick` what most changes need; `npm test -- rules journeys some-file` only what
// is named, without the checks.

/** @typedef {{ kinds: string[], shard?: string }} Work */
/**
 * These start together, next to the checks. Features and the lab spend half of the time waiting for timers, databases and packets,
 * which leaves CPU for what computes. No two kinds share a port or the machine's network.
 * @type {Work[]}
 */
const AT_ONCE = [
  { kinds: ["features-postgres", "features-sqlite"] },
  { kinds: ["toolchain", "rules", "screens"] },
  { kinds: ["lab"] },
];
/**
 * Whichever finishes first takes the next of these, longest first.
 * @type {Work[]}
 */
const AFTERWARDS = [
  { kinds: ["every-screen"] },
  { kinds: ["journeys"], shard: "1/2" },
  { kinds: ["journeys"], shard: "2/2" },
  { kinds: ["build"] },
];
/** Vitest cannot split a few files. @param {Work} work */
const inOnePart = ({ kinds, shard }) => (shard === undefined || shard.startsWith("1/") ? [{ kinds }] : []);
const KINDS = [...new Set([...AT_ONCE, ...AFTERWARDS].flatMap(({ kinds }) => kinds))];
const AGAINST_THE_BUILD = ["build", "journeys", "every-screen", "lab"];
const QUICK = ["rules", "features-sqlite", "screens", "journeys"];
const QUICK_JOURNEYS = ["invite-to-tunnel", "paying", "admin-users"];
/** Ends what hangs. It is not a measurement: a busy machine, or one that must install everything first, may take this long. */
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
  clearOldCache();
  const [, reasons] = await Promise.all([ensureInstalled(), leftOut(kinds)]);
  const these = (/** @type {string[]} */ some) => some.filter((kind) => kinds.includes(kind) && !reasons.has(kind));
  /** @type {Awaited<ReturnType<typeof runTests>>[]} */
  const ends = [];
  const built = these(AGAINST_THE_BUILD).length > 0 ? ensureBuilt() : undefined;
  const waiting = isQuick || filters.length > 0 ? AFTERWARDS.flatMap(inOnePart) : [...AFTERWARDS];
  const lane = async (/** @type {Work} */ first) => {
    for (let work = /** @type {Work | undefined} */ (first); work !== undefined; work = waiting.shift()) {
      const some = these(work.kinds);
      if (some.some((kind) => AGAINST_THE_BUILD.includes(kind))) await built;
      const only = isQuick && filters.length === 0 && some.includes("journeys") ? QUICK_JOURNEYS : filters;
      const timeoutMs = Math.max(1, LONGEST_MS - (Date.now() - startedAt)); // 0 would be no limit
      ends.push(await runTests({ ...work, kinds: some, filters: only, timeoutMs }));
    }
  };
  const check = async () => {
    if (withChecks) failed.push(...(await runChecks(1)).map((name) => `check: ${name}`));
  };
  // Without a build the other kinds still count.
  const all = await Promise.allSettled([built, check(), ...AT_ONCE.map(lane)]);
  const broken = all.flatMap((one) => (one.status === "rejected" ? [String(one.reason?.message ?? one.reason)] : []));
  failed.push(...new Set(broken));

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
