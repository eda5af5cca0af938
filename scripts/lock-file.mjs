import { readFileSync } from "node:fs";
import { endWith, isStarted, ROOT } from "./command.mjs";

/** Where the project is developed and run. An npm registry without one of a release's binaries drops it silently. */
const PLATFORMS = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "x64", libc: "musl" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "musl" },
  { os: "darwin", cpu: "arm64", libc: undefined },
];

/**
 * @typedef {{ optionalDependencies?: Record<string, string> }} Locked
 * @param {{ packages: Record<string, Locked> }} lock
 * @returns {string[]} packages with a binary for one of our platforms that the lock file names but does not hold;
 *   `npm ci` refuses such a file
 */
export function missingBinaries({ packages }) {
  const held = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)));
  const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  return [...new Set(named)].filter((name) => !held.has(name) && PLATFORMS.some((platform) => isFor(name, platform)));
}

/**
 * An absent package's platform is known only from its name: `@biomejs/cli-linux-x64-musl`,
 * `@oxc-parser/binding-darwin-arm64`.
 * @param {string} name @param {typeof PLATFORMS[number]} platform
 */
function isFor(name, { os, cpu, libc }) {
  const words = name.split(/[-/_]/);
  if (!words.includes(os) || !words.includes(cpu)) return false;
  const isMusl = words.some((word) => word.startsWith("musl"));
  return libc === undefined || isMusl === (libc === "musl");
}

if (isStarted(import.meta.url)) {
  const missing = missingBinaries(JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8")));
  if (missing.length > 0) endWith(`package-lock.json lacks ${missing.join(", ")}: take versions that have them all`);
}
