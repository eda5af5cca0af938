import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./command.mjs";

const FOLDER = join(ROOT, "node_modules/.cache/vitest");
const DAY_MS = 86_400_000;
const KEPT_DAYS = 14;

/**
 * Where Vitest keeps transformed sources. It names them by their text and its own settings, and starts again after an install. What
 * else decides how they come out is part of the folder's name.
 */
export function cacheFolder(folder = FOLDER, root = ROOT) {
  const hash = createHash("sha256").update(process.version);
  for (const file of decisive(root)) hash.update(file).update(readFileSync(join(root, file)));
  return join(folder, hash.digest("hex").slice(0, 16));
}

/** Where the lab's programs are kept as JavaScript, by their text. */
export const programsFolder = () => join(FOLDER, "programs");

/** Each changed source leaves its older version behind. Call it while no tests run. */
export function clearOldCache(folder = FOLDER, now = Date.now()) {
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now };
    if (mtimeMs < now - KEPT_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** How TypeScript is written out, and where imports of our own packages lead. @param {string} root */
const decisive = (root) => [
  "tsconfig.base.json",
  "tsconfig.json",
  ...["apps", "packages"].flatMap((part) =>
    readdirSync(join(root, part))
      .sort()
      .flatMap((name) => [`${part}/${name}/tsconfig.json`, `${part}/${name}/package.json`])
      .filter((file) => existsSync(join(root, file))),
  ),
];
