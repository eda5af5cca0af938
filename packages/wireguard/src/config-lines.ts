/** A line of a wg-quick file that says something (wg-quick(8), wg(8)). */
export type ConfigLine =
  /** `comments`: what stands between the section before and this one, the nearest last. */
  | { kind: "section"; number: number; name: string; comments: string[] }
  | { kind: "comment"; number: number; text: string }
  | { kind: "field"; number: number; key: string; value: string }
  | { kind: "neither"; number: number };

/** Splits such a file; `number` counts from 1. Section names come in lower case and without their brackets. */
export function* readLines(text: string): Generator<ConfigLine> {
  let comments: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const number = index + 1;
    // trim() removes a byte order mark, too.
    const comment = /#+(.*)$/s.exec(raw)?.[1]?.trim() ?? "";
    const line = raw.replace(/#.*$/s, "").trim();
    if (comment !== "" && line === "") {
      comments.push(comment);
      yield { kind: "comment", number, text: comment };
    }
    if (line === "") continue;
    if (line.startsWith("[")) {
      yield { kind: "section", number, name: sectionName(line), comments };
      comments = [];
      continue;
    }
    const equals = line.indexOf("=");
    if (equals === -1) yield { kind: "neither", number };
    else yield { kind: "field", number, key: line.slice(0, equals).trim(), value: line.slice(equals + 1).trim() };
    comments = [];
  }
}

/** A line without its closing bracket names no section that anybody knows. */
const sectionName = (line: string) => (/^\[(.*)\]$/.exec(line)?.[1] ?? line).toLowerCase();
