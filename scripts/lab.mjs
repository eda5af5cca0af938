import "./node-version.mjs";
import { ensureBuilt } from "./build.mjs";
import { endWith } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";
import { leftOut } from "./system-packages.mjs";
import { runTests } from "./vitest-run.mjs";

// Only the tunnel tests: `npm run lab`, or `npm run lab -- some-file`.
await ensureInstalled().then(ensureBuilt).catch(endWith);
const reason = (await leftOut(["lab"])).get("lab");
if (reason) endWith(`The lab cannot run here: ${reason}`);
const { passed, failed } = await runTests({ kinds: ["lab"], filters: process.argv.slice(2), timeoutMs: 29 * 60_000 });
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
