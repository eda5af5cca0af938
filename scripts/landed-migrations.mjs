import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isStarted, ROOT, run } from "./command.mjs";

const FOLDER = "apps/server/migrations";
/** The trunk, as far as this clone knows it. */
const TRUNKS = ["origin/main", "main"];
/** A new file must say so if older panels cannot work on its schema: then they must be stopped first, and `migrate` checks that. */
const STOPS_OLDER = /^-- stops older panels: \S/m;
/** What breaks an older panel, because it still reads and writes as before. */
const NARROWS = [
  { what: /\bdrop\s+(?:table|column|view)\b/i, why: "takes away what older panels use" },
  { what: /\brename\b/i, why: "renames what older panels use" },
  { what: /\balter\s+column\b/i, why: "changes a column that older panels use" },
  { what: /\badd\s+(?:constraint|check|unique|foreign)\b/i, why: "refuses rows that older panels may write" },
  {
    what: /\badd\s+column\b(?![^,]*\bdefault\b)[^,]*\bnot\s+null\b/i,
    why: "wants a column that older panels leave out",
  },
];

/**
 * A landed migration never changes, because it has created databases. Compares the files with the trunk's at the point
 * where this work branched off.
 * @param {string} [root]  of the repository
 * @returns {Promise<{ changed: string[], narrowing: string[], against: string | null }>} `narrowing`: new files that older panels
 * cannot work with and that do not say so, with why; `against` null: there is no history to compare with
 */
export async function compareMigrations(root = ROOT) {
  /** @param {string[]} args */
  const git = async (...args) => {
    const { code, output } = await run("git", args, { cwd: root });
    return code === 0 ? output.trimEnd() : null;
  };
  let against = null;
  for (const trunk of TRUNKS) against ??= await git("merge-base", "HEAD", trunk);
  if (against === null) return { changed: [], narrowing: [], against };
  const landed = (await git("ls-tree", "--name-only", against, `${FOLDER}/`))?.split("\n").filter(Boolean) ?? [];
  const changed = [];
  for (const file of landed) {
    const before = await git("rev-parse", `${against}:${file}`);
    const now = existsSync(`${root}/${file}`) ? await git("hash-object", "--no-filters", file) : null;
    if (before !== now) changed.push(file);
  }
  const fresh = readdirSync(`${root}/${FOLDER}`)
    .map((name) => `${FOLDER}/${name}`)
    .filter((file) => file.endsWith(".sql") && !landed.includes(file));
  const narrowing = fresh.flatMap((file) => {
    const why = whyNarrowing(file, readFileSync(`${root}/${file}`, "utf8"));
    return why === null ? [] : [`${file} ${why}`];
  });
  return { changed, narrowing, against };
}

/**
 * Panels that share a database are upgraded one after the other, so older ones work on a newer schema for a while. SQLite has
 * one panel.
 * @param {string} file
 * @param {string} text
 */
function whyNarrowing(file, text) {
  if (file.endsWith(".sqlite.sql") || STOPS_OLDER.test(text)) return null;
  const statements = text.replace(/--.*$/gm, "").split(";");
  const made = [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table]) => table);
  const onOld = statements.some((statement) => {
    const table = /\bcreate\s+unique\s+index\b.*?\bon\s+(\w+)/is.exec(statement)?.[1];
    return table !== undefined && !made.includes(table);
  });
  if (onOld) return "refuses rows that older panels may write";
  return NARROWS.find(({ what }) => statements.some((statement) => what.test(statement)))?.why ?? null;
}

if (isStarted(import.meta.url)) {
  const { changed, narrowing, against } = await compareMigrations();
  if (against === null) console.log("There is no history here to compare the migrations with.");
  for (const file of changed) console.error(`${file} has landed and may not change: write a new migration instead.`);
  for (const found of narrowing)
    console.error(`${found}: add to what is there, or say '-- stops older panels: why' at the top.`);
  process.exitCode = changed.length + narrowing.length > 0 ? 1 : 0;
}
