import { nameKey } from "./name-search.ts";

/** An entry of a bank's list, as a person pasted it. */
export interface StatementEntry {
  /** What the bank wrote, in one line. */
  text: string;
  /** Hundredths that may be its sum; a line may also have a fee or a balance. */
  sums: readonly number[];
  /** ISO 4217, if it is written. */
  currency: string | null;
}

/** Enough for an evening, and for a month's list. */
export const LONGEST_STATEMENT = 100_000;

const MOST_HUNDREDTHS = 1_000_000_000;
const CURRENCIES: readonly [written: string, code: string][] = [
  ["₽", "RUB"],
  ["руб", "RUB"],
  ["rub", "RUB"],
  ["rur", "RUB"],
  ["€", "EUR"],
  ["eur", "EUR"],
  ["$", "USD"],
  ["usd", "USD"],
];
/** The beginnings of months, in the cases in which dates have them. */
const MONTHS =
  "янв фев мар апр май мая июн июл авг сен окт ноя дек jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const SEPARATORS = [";", "\t"];
/** Columns of a file whose sums came in, and those that did not. */
const COME_IN = ["сумма", "приход", "кредит", "поступ", "зачисл", "amount", "credit"];

/** Reads a file with semicolons or tabs, or lines copied from a bank's app. What went out is left out. */
export function readStatement(pasted: string): StatementEntry[] {
  const lines = pasted
    .slice(0, LONGEST_STATEMENT)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/[\u00a0\u202f\u2009]/g, " ").trim());
  /** Of the last header, by separator: a line without any does not end its file. */
  const columns = new Map<string, number[]>();
  return blocksOf(lines).flatMap(([separator, block]) =>
    separator === null ? fromApp(block) : fromFile(block, separator, columns),
  );
}

/** Two banks' lists may follow each other: lines of a file have its separator, those of an app have none. */
function blocksOf(lines: readonly string[]): [separator: string | null, block: string[]][] {
  const blocks: [separator: string | null, block: string[]][] = [];
  for (const line of lines) {
    if (line === "") continue;
    const separator = SEPARATORS.find((sign) => line.split(sign).length >= 3) ?? null;
    const last = blocks.at(-1);
    if (last?.[0] === separator) last[1].push(line);
    else blocks.push([separator, [line]]);
  }
  return blocks;
}

function fromFile(lines: readonly string[], separator: string, columnsOfFile: Map<string, number[]>): StatementEntry[] {
  const found: StatementEntry[] = [];
  for (const line of lines) {
    const cells = cellsOf(line, separator);
    const named = cells.every((cell) => moneyIn(cell).length === 0) ? columnsOf(cells) : [];
    const columns = columnsOfFile.get(separator);
    if (named.length > 0) {
      // What is above a first header is about the account.
      if (columns === undefined) found.length = 0;
      columnsOfFile.set(separator, named);
      continue;
    }
    const asked = columns?.map((place) => cells[place] ?? "") ?? cells;
    const amounts = asked.filter((cell) => isOnlyMoney(cell)).flatMap(moneyIn);
    // Without a header a whole number may be anything: a row's own number, a branch, a code.
    const isExact = columns === undefined && amounts.some((amount) => amount.isExact);
    const exact = isExact ? amounts.filter((amount) => amount.isExact) : amounts;
    found.push(...entryOf(cells.filter(Boolean).join(" · "), exact, currencyIn(cells.join(" "))));
  }
  return found;
}

/** The cells of a row; one in quotes may hold the separator, its own quotes are left out. */
function cellsOf(line: string, separator: string): string[] {
  const cells = [""];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === separator && !isQuoted) cells.push("");
    else cells[cells.length - 1] += sign;
  }
  return cells.map((cell) => cell.trim());
}

const columnsOf = (cells: readonly string[]) =>
  cells.flatMap((cell, place) => (COME_IN.some((name) => nameKey(cell).includes(name)) ? [place] : []));

/** A sum and the lines around it make an entry: the name before it, after it, or in the same line. */
function fromApp(lines: readonly string[]): StatementEntry[] {
  const found: StatementEntry[] = [];
  let before: string[] = [];
  /** A sum that came before any name: what follows belongs to it. */
  let open: { sum: string; amounts: Money[]; after: string[] } | null = null;
  const close = () => {
    if (open) found.push(...entryOf([...open.after, open.sum].join(" · "), open.amounts, currencyIn(open.sum)));
    open = null;
  };
  for (const line of lines) {
    const text = withoutDates(line);
    if (text === "") continue;
    const amounts = moneyIn(text);
    if (amounts.length === 0) {
      if (open) open.after.push(line);
      else before.push(line);
      continue;
    }
    if (hasName(text)) {
      close();
      found.push(...entryOf([...before, line].join(" · "), amounts, currencyIn(line)));
      before = [];
    } else if (before.length > 0) {
      found.push(...entryOf([...before, line].join(" · "), amounts, currencyIn(line)));
      before = [];
    } else {
      close();
      open = { sum: line, amounts, after: [] };
    }
  }
  close();
  return found;
}

interface Money {
  hundredths: number;
  goesOut: boolean;
  /** With a sign, a currency or hundredths: certainly money. */
  isExact: boolean;
}

function entryOf(text: string, amounts: readonly Money[], currency: string | null): StatementEntry[] {
  if (amounts.length === 0 || amounts.every(({ goesOut }) => goesOut)) return [];
  const exact = amounts.filter(({ isExact, goesOut }) => isExact && !goesOut);
  const sums = exact.length > 0 ? exact : amounts.filter(({ goesOut }) => !goesOut);
  return [{ text, sums: [...new Set(sums.map(({ hundredths }) => hundredths))], currency }];
}

/** '1 200,50', '+300', '− 300.00 ₽'. */
const AMOUNT = /(?:([+\-−–]) ?)?(\d{1,3}(?: \d{3})+|\d{1,9})(?:[.,](\d{2}|\d)(?!\d))?(?! ?\d)/g;

function moneyIn(line: string): Money[] {
  const text = withoutDates(line);
  return [...text.matchAll(AMOUNT)].flatMap((match) => {
    const [written, sign = "", whole = "", part] = match;
    const rest = text.slice(match.index + written.length);
    // Digits in a word are a name's or a number's, as in 'anna27' or '*1234'.
    if (!/[\s(:$€+\-−–]/.test(text[match.index - 1] ?? " ") || (/^[\p{L}\d*]/u.test(rest) && !isUnit(rest))) return [];
    const hundredths = Number(whole.replaceAll(" ", "")) * 100 + Number((part ?? "0").padEnd(2, "0"));
    if (hundredths === 0 || hundredths > MOST_HUNDREDTHS) return [];
    const isExact = sign !== "" || part !== undefined || isUnit(rest.trimStart());
    return [{ hundredths, goesOut: ["-", "−", "–"].includes(sign), isExact }];
  });
}

const isOnlyMoney = (cell: string) => moneyIn(cell).length === 1 && !hasName(cell);
/** 'р.' is too short to be looked for anywhere else. */
const isUnit = (rest: string) =>
  [...CURRENCIES.map(([written]) => written), "р."].some((unit) => rest.toLowerCase().startsWith(unit));
const currencyIn = (text: string) => CURRENCIES.find(([written]) => text.toLowerCase().includes(written))?.[1] ?? null;

/** Without dates, times and telephone numbers, whose digits are no sums. */
function withoutDates(line: string): string {
  const plain = line
    .replace(/\+?[78] ?\(?9\d{2}\)?[ -]?\d{3}[ -]?\d{2}[ -]?\d{2}(?!\d)/g, " ")
    .replace(/\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/g, " ")
    .replace(/^\d{2}\.\d{2}(?=\s|$)/, " ")
    .replace(/\d{1,2}:\d{2}(?::\d{2})?/g, " ");
  const words = plain.split(/\s+/).filter(Boolean);
  return words
    .filter((word, place) => {
      const isMonth = (at: number) => MONTHS.some((month) => nameKey(words[at] ?? "").startsWith(month));
      const isDay = /^\d{1,2}$/.test(word) && isMonth(place + 1);
      const isYear =
        /^20\d{2}$/.test(word) && place > 1 && isMonth(place - 1) && /^\d{1,2}$/.test(words[place - 2] ?? "");
      const isOfDate = place > 0 && isMonth(place) && /^\d{1,2}$/.test(words[place - 1] ?? "");
      return !isDay && !isYear && !isOfDate;
    })
    .join(" ");
}

/** Whether anything but sums and currencies is written. */
function hasName(text: string): boolean {
  const words = nameKey(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1);
  return words.some((word) => !["руб", "rub", "rur", "eur", "usd"].some((unit) => word.startsWith(unit)));
}
