import { readdirSync, readFileSync } from "node:fs";
import regexpTree from "regexp-tree";
import type { AstNode, Repetition } from "regexp-tree/ast";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT } from "./command.mjs";

/*
 * A regular expression that backtracks over what it has just read takes a hundred times as long for a text ten times as long: for
 * an imported file of 60 KB one took 13 s, and nobody else was served. Each expression of the sources is timed with texts built
 * from its own parts to make it backtrack.
 */

interface Found {
  /** '/…/flags', or the argument of `new RegExp`. */
  text: string;
  file: string;
  isMade: boolean;
}

/** These read only texts of the operator or developer, which are short. The service worker's is not one of them. */
const OF_OUR_OWN = /^apps\/web\/build\/(?!worker\.js)/;

/** Built at run time: from our own constants, or from escaped texts. */
const MADE: readonly string[] = [
  "packages/domain/src/invite-rules.ts",
  "apps/server/src/as-service.ts",
  "apps/server/src/hosts/machine-state.ts",
  "apps/server/src/features/access/auth/known-devices.ts",
  "apps/server/src/features/messages/telegram/answer-devices.ts",
  "apps/server/src/features/messages/telegram/answer-devices.ts",
  "apps/server/src/features/messages/telegram/answer-lost.ts",
  "apps/server/src/features/messages/telegram/staff-acts.ts",
  "apps/server/src/features/access/two-factor/recovery-codes.ts",
  "apps/server/src/hosts/ssh/prompts.ts",
  "apps/server/src/hosts/ssh/sudo.ts",
  "apps/web/src/features/messages/staff-support/named-devices.ts",
];

const isSource = (path: string) =>
  /^(?:packages|apps)\/.*\.(?:tsx?|m?js)$/.test(path) &&
  !/\.test\.tsx?$|(?:^|\/)(?:node_modules|dist|dev|testing|bench)\/|\/arbitraries\.ts$/.test(path) &&
  !OF_OUR_OWN.test(path);

function everyRegularExpression(): Found[] {
  const paths = ["packages", "apps"].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`).flatMap((name) =>
      ["src", "build", "public"].flatMap((part) => filesIn(`${folder}/${name}/${part}`)),
    ),
  );
  return paths.filter(isSource).flatMap((path) => regularExpressionsOf(path, readFileSync(ROOT + path, "utf8")));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`);
  } catch {
    return [];
  }
}

function regularExpressionsOf(file: string, source: string): Found[] {
  const found: Found[] = [];
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ text: node.text, file, isMade: false });
    if (isMadeOfText(node)) found.push({ text: node.getText(tree), file, isMade: true });
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === "RegExp")
      found.push({ text: (node.arguments ?? []).map((each) => each.getText(tree)).join(", "), file, isMade: true });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `text.match("…")` makes an expression of any text it is given. */
const isMadeOfText = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  ["match", "matchAll", "search"].includes(node.expression.name.text) &&
  node.arguments[0] !== undefined &&
  (ts.isStringLiteralLike(node.arguments[0]) || ts.isTemplateExpression(node.arguments[0]));

/** One of each kind of character that expressions distinguish. */
const LETTERS = [..." \t\n\r\u00a0aZxgAFrc019_-./:=,;\"'<>#@%&?!()[]{}|\\+*$^~«я١\u200b\0"];

const sourceOf = (node: AstNode) => regexpTree.generate(node);

const compiled = new Map<string, RegExp | null>();
/** Null for a part that is not an expression by itself, such as a reference to a group. */
function whole(node: AstNode, flags: string): RegExp | null {
  const key = `${flags} ${sourceOf(node)}`;
  if (!compiled.has(key)) {
    try {
      compiled.set(key, new RegExp(`^(?:${sourceOf(node)})$`, flags.replace(/[gymd]/g, "")));
    } catch {
      compiled.set(key, null);
    }
  }
  return compiled.get(key) ?? null;
}

/** A short text that it matches, as far as its parts show. */
function sampleOf(node: AstNode | null, flags: string): string {
  if (node === null) return "";
  switch (node.type) {
    case "Alternative":
      return node.expressions.map((each) => sampleOf(each, flags)).join("");
    case "Disjunction":
      return sampleOf(node.left ?? node.right, flags);
    case "Group":
      return sampleOf(node.expression, flags);
    case "Repetition":
      return sampleOf(node.expression, flags).repeat(
        Math.min(node.quantifier.kind === "Range" ? node.quantifier.from : 1, 50),
      );
    case "Assertion":
    case "Backreference":
      return "";
    default:
      return LETTERS.find((letter) => whole(node, flags)?.test(letter)) ?? (node.type === "Char" ? node.value : "");
  }
}

interface Repeated {
  /** A text that leads there. */
  before: string;
  /** The repeated part. */
  inner: AstNode;
}

const isLong = ({ quantifier }: Repetition) =>
  quantifier.kind === "*" ||
  quantifier.kind === "+" ||
  (quantifier.kind === "Range" && (quantifier.to ?? Infinity) >= 20);

/** Every part that may repeat many times, and every character or class. */
function partsOf(ast: AstNode | null, flags: string): { places: Repeated[]; leaves: AstNode[] } {
  const places: Repeated[] = [];
  const leaves: AstNode[] = [];
  const visit = (node: AstNode | null, before: string): void => {
    if (node === null) return;
    if (node.type === "Alternative") {
      let sofar = before;
      for (const each of node.expressions) {
        visit(each, sofar);
        sofar += sampleOf(each, flags);
      }
    } else if (node.type === "Disjunction") {
      visit(node.left, before);
      visit(node.right, before);
    } else if (node.type === "Group") visit(node.expression, before);
    else if (node.type === "Assertion") {
      if ("assertion" in node) visit(node.assertion ?? null, before);
    } else if (node.type === "Repetition") {
      if (isLong(node)) places.push({ before, inner: node.expression });
      visit(node.expression, before);
    } else if (node.type !== "Backreference") leaves.push(node);
  };
  visit(ast, "");
  return { places, leaves };
}

/** Texts of about this length, for each way in which the expression may backtrack. */
function* textsFor(text: string, length: number): Generator<string> {
  const flags = /[a-z]*$/.exec(text)?.[0] ?? "";
  const { places, leaves } = partsOf(regexpTree.parse(text).body, flags);
  const kinds = new Map<string, string>();
  for (const letter of LETTERS) {
    const kind = leaves.map((leaf) => (whole(leaf, flags)?.test(letter) ? "1" : "0")).join("");
    if (!kinds.has(kind)) kinds.set(kind, letter);
  }
  const seen = new Set<string>();
  for (const { before, inner } of places) {
    const accepts = (letter: string) => whole(inner, flags)?.test(letter) === true;
    const accepted = [...kinds.values()].filter(accepts).slice(0, MOST_PUMPS);
    const foreign = [...kinds.values()].find((letter) => !accepts(letter)) ?? "";
    const pumps = [...accepted, sampleOf(inner, flags), before + sampleOf(inner, flags)].filter((pump) => pump !== "");
    // Prevents the rest from matching: a character that is none of these, or a line end in the middle.
    for (const end of new Set(["", "\0", "\0\n\0", `\n${foreign}`, foreign]))
      for (const lead of new Set(["", "\0", before]))
        for (const pump of new Set(pumps)) {
          const made = lead + pump.repeat(Math.ceil(length / pump.length)) + end;
          if (seen.has(made)) continue;
          seen.add(made);
          yield made;
        }
  }
}
const MOST_PUMPS = 6;

function timeOf(expression: RegExp, text: string): number {
  const from = performance.now();
  text.replace(expression, "");
  return performance.now() - from;
}
/** The quickest of three, since the machine may be busy. */
const quickest = (expression: RegExp, text: string) =>
  Math.min(...Array.from({ length: 3 }, () => timeOf(expression, text)));

/** In characters and ms. Short texts first: with exponential backtracking a long one would never finish. */
const STEPS = [
  { length: 24, most: 20 },
  { length: 300, most: 5 },
  { length: 10_000, most: 15 },
];

/** The start of the text that takes too long, or null. */
function whatIsSlow(text: string): string | null {
  const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  const expression = new RegExp(source, flags);
  for (const { length, most } of STEPS)
    for (const tried of textsFor(text, length))
      if (timeOf(expression, tried) > most && quickest(expression, tried) > most)
        return `${JSON.stringify(tried.slice(0, 40))} … ${JSON.stringify(tried.slice(-3))}, ${tried.length} letters`;
  return null;
}

test("an expression that backtracks badly is found", () => {
  const slow = [
    "/^(a+)+$/",
    "/\\/+$/",

    "/^(?:client|name)\\s*:\\s*(?<name>.+)$/i",

    "/^-A (\\S+) ?(.*)$/",
    "/^-+|-+$/g",
    "/^\\s*--.*$/gm",

    "/^(?:a.*){3}$/",
    "/\\p{L}[^/:]*$/u",
  ];
  expect(slow.filter((text) => whatIsSlow(text) === null)).toEqual([]);
  const quick = ["/^[a-z]+$/", "/^\\d{1,9}$/", "/^(?:[^\\t]*\\t){3}$/", "/=\\s/g", "/^\\S+ \\S+$/"];
  expect(quick.filter((text) => whatIsSlow(text) !== null)).toEqual([]);
});

test("every kind of source is read, and every way to make an expression is found", () => {
  const texts = (source: string) => regularExpressionsOf("a.tsx", source).map(({ text, isMade }) => [text, isMade]);
  expect(texts("<A b={/a+/u} />; x.replace(/b/, c)")).toEqual([
    ["/a+/u", false],
    ["/b/", false],
  ]);
  expect(texts("new RegExp(a, 'i'); RegExp(b); x.match('(a+)+'); x.search(`a+`); x.match(y)")).toEqual([
    ["a, 'i'", true],
    ["b", true],
    ["x.match('(a+)+')", true],
    ["x.search(`a+`)", true],
  ]);
  for (const path of ["apps/web/src/lib/a.tsx", "apps/web/build/worker.js", "apps/web/public/before-paint.js"])
    expect([path, isSource(path)]).toEqual([path, true]);
});

const all = everyRegularExpression();

test("no expression of the sources does, for any text", () => {
  const literals = all.filter(({ isMade }) => !isMade);
  expect(literals.length).toBeGreaterThan(200);
  const verdicts = new Map<string, string | null>();
  const slow = literals.flatMap(({ text, file }) => {
    if (!verdicts.has(text)) verdicts.set(text, whatIsSlow(text));
    const why = verdicts.get(text) ?? null;
    return why === null ? [] : [`${file}: ${text} by ${why}`];
  });
  expect(slow).toEqual([]);
});

test("expressions built at run time are only those reviewed above", () => {
  expect(
    all
      .filter(({ isMade }) => isMade)
      .map(({ file }) => file)
      .sort(),
  ).toEqual([...MADE].sort());
});
