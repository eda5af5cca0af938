import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { endWith, ROOT } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";
import { installOwnPackages } from "./own-packages.mjs";
import { refuseTakenPort } from "./port-taken.mjs";
import { leaveTerminal, takeTerminal } from "./progress.mjs";

/** @type {Promise<string[]> | undefined} */
let packages;
try {
  await refuseTakenPort();
  takeTerminal();
  packages = installOwnPackages();
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  leaveTerminal();
  endWith(error);
}
leaveTerminal();
// In this same process: a second start needs no second Node, and signals reach the panel directly.
const { runPanel } = await import(pathToFileURL(`${ROOT}apps/server/dist/run-panel.js`).href);
await runPanel({ packages });
