import "./node-version.mjs";
import { existsSync, readdirSync } from "node:fs";
import { endWith, isStarted, ROOT, run, tool } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

const AT_ONCE = 2;

/** @returns {[name: string, tool: string, args: string[]][]} */
function checks() {
  const typed = ["packages", "apps"]
    .flatMap((folder) => readdirSync(ROOT + folder).map((name) => `${folder}/${name}`))
    .filter((workspace) => existsSync(`${ROOT}${workspace}/tsconfig.json`));
  return [
    ["format and lint", "biome", ["ci", "--colors=off", "."]],
    ["imports", "depcruise", ["packages/*/src", "apps/*/src", "--config", ".dependency-cruiser.mjs"]],
    ["dead code", "knip", []],
    ...[".", ...typed].map((project) => /** @type {any} */ ([`types of ${project}`, "tsc", ["-p", project]])),
  ];
}

/**
 * Everything that can be said about the sources without running them. Prints a line per check, and all a failing one
 * has to say.
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runChecks() {
  const waiting = checks();
  /** @type {string[]} */
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, program, args] = next;
      const { code, output, seconds } = await run(tool(program), args);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`);
      if (code === 0) continue;
      failed.push(name);
      console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}

if (isStarted(import.meta.url)) {
  await ensureInstalled().catch(endWith);
  process.exitCode = (await runChecks()).length > 0 ? 1 : 0;
}
