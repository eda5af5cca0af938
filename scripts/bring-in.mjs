import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** How long after a newer build the files of an older one stay, for open pages and a panel still running. */
const KEPT_MS = 24 * 60 * 60_000;
const RECORD = ".superseded.json";

/**
 * Moves a fresh build into the folder being served, so that at every moment each page and program there finds everything it
 * names: first the files with new names, then those that name them. Files no longer in the build stay for a day.
 * @param {string} fresh  the build; it is emptied
 * @param {string} dist  created if missing
 * @param {number} now  ms since 1970
 * @param {(from: string, to: string) => void} [move]
 */
export function bringIn(fresh, dist, now, move = renameSync) {
  const built = filesIn(fresh);
  const [known, added] = [
    built.filter((file) => existsSync(join(dist, file))),
    built.filter((file) => !existsSync(join(dist, file))),
  ];
  // New names first: nothing refers to them yet. Pages and programs, which keep their names, follow once all their parts are
  // there.
  for (const file of [...added.sort(byDepth), ...known.sort(byDepth)]) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    move(join(fresh, file), join(dist, file));
  }
  forgetOld(dist, new Set(built), now);
}

/** @param {string} dist @param {ReadonlySet<string>} built @param {number} now */
function forgetOld(dist, built, now) {
  const record = join(dist, RECORD);
  /** @type {Record<string, number>} file → since when no build contains it */
  const since = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {};
  const remaining = filesIn(dist)
    .filter((file) => !built.has(file) && file !== RECORD)
    .filter((file) => {
      const isOld = now - (since[file] ?? now) > KEPT_MS;
      if (isOld) rmSync(join(dist, file));
      return !isOld;
    });
  writeFileSync(record, JSON.stringify(Object.fromEntries(remaining.map((file) => [file, since[file] ?? now]))));
}

/** Paths below the folder. @param {string} folder */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** Deeper paths first; within a folder, parts before the files that name them. @param {string} one @param {string} other */
const byDepth = (one, other) => rank(other) - rank(one);

/** @param {string} file */
const rank = (file) => file.split("/").length * 2 + (/^(?:main|cli)\.js$|\.html(?:\.\w+)?$/.test(file) ? 0 : 1);
