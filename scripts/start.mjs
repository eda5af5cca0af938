import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { endWith, ROOT } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";
import { refuseTakenPort } from "./port-taken.mjs";

try {
  await refuseTakenPort();
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  endWith(error);
}
// In this same process: a second start needs no second Node, and signals reach the panel directly.
await import(pathToFileURL(`${ROOT}apps/server/dist/main.js`).href);
