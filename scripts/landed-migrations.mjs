import { existsSync } from "node:fs";
import { isStarted, ROOT, run } from "./command.mjs";

const FOLDER = "apps/server/migrations";
/** The trunk, as far as this clone knows it. */
const TRUNKS = ["origin/main", "main"];

/**
 * A landed migration never changes, because databases exist that it made. Compares the files with the trunk's at the point
 * where this work branched off.
 * @param {string} [root]  of the repository
 * @returns {Promise<{ changed: string[], against: string | null }>} `against` null: there is no history to compare with
 */
export async function changedMigrations(root = ROOT) {
  /** @param {string[]} args */
  const git = async (...args) => {
    const { code, output } = await run("git", args, { cwd: root });
    return code === 0 ? output.trimEnd() : null;
  };
  let against = null;
  for (const trunk of TRUNKS) against ??= await git("merge-base", "HEAD", trunk);
  if (against === null) return { changed: [], against };
  const landed = (await git("ls-tree", "--name-only", against, `${FOLDER}/`))?.split("\n").filter(Boolean) ?? [];
  const changed = [];
  for (const file of landed) {
    const before = await git("rev-parse", `${against}:${file}`);
    const now = existsSync(`${root}/${file}`) ? await git("hash-object", "--no-filters", file) : null;
    if (before !== now) changed.push(file);
  }
  return { changed, against };
}

if (isStarted(import.meta.url)) {
  const { changed, against } = await changedMigrations();
  if (against === null) console.log("There is no history here to compare the migrations with.");
  for (const file of changed) console.error(`${file} has landed and may not change: write a new migration instead.`);
  process.exitCode = changed.length > 0 ? 1 : 0;
}
