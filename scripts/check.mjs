import "./node-version.mjs";
import { existsSync, readdirSync } from "node:fs";
import { endWith, isStarted, ROOT, run, tool } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

/** Several checkers at once each compute most types again, which takes twice the processor time. */
const SPARING = ["--checkers", "1"];

/** @returns {[name: string, program: string, args: string[]][]} */
function checks() {
  const typed = ["packages", "apps"]
    .flatMap((folder) => readdirSync(ROOT + folder).map((name) => `${folder}/${name}`))
    .filter((workspace) => existsSync(`${ROOT}${workspace}/tsconfig.json`));
  return [
    ["format and lint", tool("biome"), ["ci", "--colors=off", "."]],
    ["imports", process.execPath, ["scripts/check-imports.mjs"]],
    ["dead code", tool("knip"), []],
    ["landed migrations", process.execPath, ["scripts/landed-migrations.mjs"]],
    ["lock file", process.execPath, ["scripts/lock-file.mjs"]],
    ...[".", ...typed].map(
      (project) => /** @type {any} */ ([`types of ${project}`, tool("tsc"), ["-p", project, ...SPARING]]),
    ),
  ];
}

/**
 * Runs every check that needs no execution of the sources. Prints a line per check, and a failing one's whole output.
 * @param {number} atOnce
 * @returns {Promise<string[]>} the names of the failed checks
 */
export async function runChecks(atOnce) {
  const waiting = checks();
  /** @type {string[]} */
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, program, args] = next;
      const { code, output, seconds } = await run(program, args);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
      if (code === 0) continue;
      failed.push(name);
      console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

if (isStarted(import.meta.url)) {
  await ensureInstalled().catch(endWith);
  process.exitCode = (await runChecks(2)).length > 0 ? 1 : 0;
}
