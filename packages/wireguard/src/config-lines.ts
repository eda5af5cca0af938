import { linesOf } from "./text-lines.ts";

/** A non-empty line of a wg-quick file (wg-quick(8), wg(8)); `comment`: what follows a '#' on it. */
export type ConfigLine =
  /** `comments`: the comments between the previous line and this one, the nearest last. */
  | { kind: "section"; number: number; name: string; comments: string[]; comment: string }
  | { kind: "comment"; number: number; text: string }
  | { kind: "field"; number: number; key: string; value: string; comment: string }
  | { kind: "neither"; number: number };

/** As wg(8) reads names, keys and networks: 'Public Key = ab cd' is PublicKey=abcd. */
export const withoutSpaces = (text: string): string => text.replace(/\s/g, "");

/** Splits such a file; `number` counts from 1. Section names are in lower case, without brackets. */
export function* readLines(text: string): Generator<ConfigLine> {
  let comments: string[] = [];
  for (const [index, raw] of linesOf(text).entries()) {
    const number = index + 1;
    const hash = raw.indexOf("#");
    const comment = hash === -1 ? "" : withoutMarks(raw.slice(hash));
    // trim() removes a byte order mark, too.
    const line = (hash === -1 ? raw : raw.slice(0, hash)).trim();
    if (comment !== "" && line === "") {
      comments.push(comment);
      yield { kind: "comment", number, text: comment };
    }
    if (line === "") continue;
    if (line.startsWith("[")) {
      yield { kind: "section", number, name: sectionName(line), comments, comment };
      comments = [];
      continue;
    }
    const equals = line.indexOf("=");
    if (equals === -1) yield { kind: "neither", number };
    else
      yield {
        kind: "field",
        number,
        key: withoutSpaces(line.slice(0, equals)),
        value: line.slice(equals + 1).trim(),
        comment,
      };
    comments = [];
  }
}

/** A comment without the '#'s around it. */
function withoutMarks(comment: string): string {
  let [from, to] = [0, comment.length];
  while (comment[from] === "#") from++;
  while (to > from && comment[to - 1] === "#") to--;
  return comment.slice(from, to).trim();
}

/** A line without its closing bracket names no known section. */
const sectionName = (line: string) => withoutSpaces(line.endsWith("]") ? line.slice(1, -1) : line).toLowerCase();
