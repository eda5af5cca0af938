import { sheetNumber } from "./format.ts";
import type { Language } from "./i18n/language.ts";

interface CsvColumn<Row> {
  title: string;
  text: (row: Row) => string | number;
}

/** A spreadsheet treats a text that starts with one of these as a formula (OWASP, CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

function field(value: string | number, separator: string, language: Language): string {
  if (typeof value === "number") return sheetNumber(String(value), language);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return harmless.includes(separator) || /["\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** RFC 4180 with a byte order mark. Russian spreadsheets expect semicolons between columns. */
export function csvText<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], language: Language): string {
  const separator = language === "ru" ? ";" : ",";
  const line = (values: (string | number)[]) =>
    values.map((value) => field(value, separator, language)).join(separator);
  const lines = [
    line(columns.map(({ title }) => title)),
    ...rows.map((row) => line(columns.map(({ text }) => text(row)))),
  ];
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

/** The same as a file. */
export const csvFile = <Row>(...of: Parameters<typeof csvText<Row>>): Blob =>
  new Blob([csvText(...of)], { type: "text/csv;charset=utf-8" });

/** All rows of a list, page by page. */
export async function everyRow<Row>(
  page: (after: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>,
): Promise<Row[]> {
  const all: Row[] = [];
  let after: string | undefined;
  do {
    const { rows, next } = await page(after);
    all.push(...rows);
    after = next ?? undefined;
  } while (after !== undefined);
  return all;
}
