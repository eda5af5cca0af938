import { readdirSync } from "node:fs";
import { ROOT, run, tool } from "./command.mjs";
import { circlesOfFeatures } from "./feature-circles.mjs";
import { SOURCES } from "./source-folders.mjs";

// Checks who may import whom (.dependency-cruiser.mjs), over all sources: an unread file would pass silently.
const { code, output } = await run(tool("depcruise"), [
  ...SOURCES,
  "--config",
  ".dependency-cruiser.mjs",
  "--output-type",
  "json",
]);

/** @type {import("dependency-cruiser").ICruiseResult} */
let result;
try {
  result = JSON.parse(output);
} catch {
  console.error(`dependency-cruiser ended with code ${code}:\n${output}`);
  process.exit(1);
}

const { summary, modules } = result;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
const circles = circlesOfFeatures(modules);
for (const circle of circles) console.error(`features that need each other: ${circle}`);

const read = new Set(modules.map(({ source }) => source));
const unread = ["packages", "apps"]
  .flatMap((folder) => readdirSync(ROOT + folder).map((name) => `${folder}/${name}/src`))
  .concat("apps/server/testing")
  .flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !read.has(file));
for (const file of unread) console.error(`not read: ${file}`);

// Without a TypeScript compiler it supports, dependency-cruiser reads JSX but finds no imports in it.
const isBlind = !modules.some(({ source, dependencies }) => source.endsWith(".tsx") && dependencies.length > 0);
if (isBlind) console.error("no import was found in any .tsx file");

process.exitCode = summary.violations.length > 0 || circles.length > 0 || unread.length > 0 || isBlind ? 1 : 0;
