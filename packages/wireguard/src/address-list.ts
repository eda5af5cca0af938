import { canonicalNetwork, parseCidr } from "./addresses.ts";
import { linesOf } from "./text-lines.ts";

/**
 * The content of each line, and its comment if it has one: after '#', ';' or '//'. A ';' between two addresses separates them.
 */
export const partLines = (text: string) => linesOf(text).map(partComment);

function partComment(line: string): { said: string; comment?: string } {
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    const opens =
      sign === "#" ||
      (sign === ";" && !goesOn(line.slice(0, at), line.slice(at + 1))) ||
      // URLs contain '//' too, after a colon.
      (sign === "/" && line[at + 1] === "/" && line[at - 1] !== ":");
    if (opens) return { said: line.slice(0, at), comment: line.slice(at + 1) };
  }
  return { said: line };
}

/** Is this ';' inside a list, or an nft set? */
const goesOn = (before: string, after: string) =>
  before.includes("{") ||
  (before.trim() !== "" && parseCidr(after.replace(/^[\s"']+/, "").split(/[,;\s"']/, 1)[0] ?? "") !== null);

/** Each network once, however it is written, as it first appears in the list; and the entries that are not networks. */
export function distinctNetworks(
  items: readonly string[],
  read = canonicalNetwork,
): { kept: string[]; wrong: string[] } {
  const kept = new Map<string, string>();
  const wrong: string[] = [];
  for (const item of items) {
    const same = read(item);
    if (same === null) wrong.push(item);
    else if (!kept.has(same)) kept.set(same, item);
  }
  return { kept: [...kept.values()], wrong };
}
