import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { endWith, ROOT } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

try {
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  endWith(error);
}
// In this very process: a second start pays for no second Node, and signals reach the panel without a go-between.
await import(pathToFileURL(`${ROOT}apps/server/dist/main.js`).href);
