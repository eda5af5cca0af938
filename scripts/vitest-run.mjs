import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, tool } from "./command.mjs";

/** @typedef {{ name: string, seconds: number }} TestFile  with its kind */

/**
 * Runs tests and counts them over all kinds.
 * @param {{ kinds: string[], filters?: string[], shard?: string, timeoutMs: number }} options  `shard`: only that part of the files, e.g. "1/2"
 * @returns {Promise<{ passed: number, failed: string[], skipped: string[], empty: string[], files: TestFile[] }>} names of
 * the failed tests (with why, in the lines below the name) and of the skipped ones, and the kinds without a single test
 */
export async function runTests({ kinds, filters = [], shard, timeoutMs }) {
  if (kinds.length === 0) return { passed: 0, failed: [], skipped: [], empty: [], files: [] };
  const folder = mkdtempSync(join(tmpdir(), "krug-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const results = join(folder, "results");
  const args = ["run", "--passWithNoTests", ...kinds.flatMap((kind) => ["--project", kind]), ...filters];
  if (shard !== undefined) args.push("--shard", shard);
  const { code } = await run(tool("vitest"), args, { show: true, env: { TEST_RESULTS: results }, timeoutMs });

  /** @type {{ state: string, name: string, seconds?: number, why?: string }[]} */
  const tests = existsSync(results)
    ? readFileSync(results, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const named = (/** @type {string} */ state) => tests.filter((test) => test.state === state).map(({ name }) => name);
  const failed = tests.flatMap(({ state, name, why }) => (state === "failed" ? [why ? `${name}\n${why}` : name] : []));
  if (code === 124) failed.push(`the tests did not end within ${Math.round(timeoutMs / 60_000)} minutes`);
  else if (code !== 0 && failed.length === 0) failed.push(`vitest ended with code ${code}`);
  const files = tests.flatMap(({ state, name, seconds = 0 }) => (state === "file" ? [{ name, seconds }] : []));
  const empty = kinds.filter(
    (kind) => !tests.some(({ state, name }) => state !== "file" && name.startsWith(`${kind} `)),
  );
  return { passed: named("passed").length, failed, skipped: named("skipped"), empty, files };
}
