import type { Language } from "@krug/contract/refusals";
import { type CheckWords, checkWords } from "./words.ts";

/**
 * `wrong`: something is off. `unknown`: it could not be checked. `note`: worth knowing, and acceptable. `well`: checked, and as
 * it should be.
 */
export type Level = "wrong" | "unknown" | "note" | "well";

/** One result of a check. */
export interface Finding {
  /** Stable, for programs. */
  code: string;
  level: Level;
  /** Null if it concerns the installation as a whole. */
  server: { id: string; name: string } | null;
  /** An interface of the server, by its system name. */
  interfaceName: string | null;
  /** Our own words and numbers only: nothing that a person or another program wrote. It may leave the machine. */
  text: string;
  /** What to do; null if nothing. */
  todo: string | null;
  /** The message of a program, machine or setting: for the terminal only, never in a support bundle. */
  detail: string | null;
}

export type Wording = Partial<Pick<Finding, "todo" | "detail" | "server" | "interfaceName">>;

export const finding = (
  level: Level,
  code: string,
  text: string,
  { todo = null, detail = null, server = null, interfaceName = null }: Wording = {},
): Finding => ({ code, level, server, interfaceName, text, todo, detail });

/** 0: no problems. 1: problems. 2: no known problems, but something could not be checked. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ level }) => level === "wrong")) return 1;
  return findings.some(({ level }) => level === "unknown") ? 2 : 0;
}

const ORDER: readonly Level[] = ["well", "note", "unknown", "wrong"];

/** A line each, the worst last, where a terminal ends; then one line that sums up. */
export function findingsText(findings: readonly Finding[], language: Language): string {
  const say = checkWords[language];
  const width = Math.max(...Object.values(say.levels).map(({ length }) => length)) + 1;
  const lines = [...findings]
    .sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level))
    .map(({ level, server, interfaceName, text, todo, detail }) => {
      const on = interfaceName === null ? "" : `, ${oneLine(interfaceName)}`;
      const about = server === null ? "" : `${say.server} «${oneLine(server.name)}»${on}: `;
      const said = detail === null ? "" : ` (${oneLine(detail)})`;
      return `${say.levels[level].padEnd(width)}${about}${text}${said}${todo === null ? "" : ` ${todo}`}`;
    });
  return [...lines, summary(findings, say)].join("\n");
}

const LONGEST = 400;
/** Foreign text must not move the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it takes out
const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, LONGEST);

function summary(findings: readonly Finding[], say: CheckWords): string {
  const of = (level: Level) => findings.filter((each) => each.level === level).length;
  const [wrong, unknown] = [of("wrong"), of("unknown")];
  if (wrong > 0)
    return [say.needsYou(wrong, findings.length), ...(unknown > 0 ? [say.unchecked(unknown)] : [])].join(" ");
  return unknown > 0 ? say.nothingOff(unknown) : say.allWell;
}
