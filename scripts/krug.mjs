import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { endWith, ROOT } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

// An installation's command line: what a locked-out operator needs (docs/operating.md).
try {
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  endWith(error);
}
await import(pathToFileURL(`${ROOT}apps/server/dist/cli.js`).href);
