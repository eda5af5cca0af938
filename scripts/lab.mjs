import "./node-version.mjs";
import { ensureBuilt } from "./build.mjs";
import { endWith } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";
import { leftOut } from "./system-packages.mjs";
import { runTests } from "./vitest-run.mjs";

// Only the tunnel tests, or those too long for `npm test`: `npm run lab`, `npm run soak -- some-file`.
const LONGEST_MS = 60 * 60_000;
const [kind = "lab", ...filters] = process.argv.slice(2);
const kinds = kind === "soak" ? ["soak-postgres", kind] : [kind];
await ensureInstalled().then(ensureBuilt).catch(endWith);
for (const [what, reason] of await leftOut(kinds)) endWith(`${what} cannot run here: ${reason}`);
const { passed, failed } = await runTests({ kinds, filters, timeoutMs: LONGEST_MS });
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
