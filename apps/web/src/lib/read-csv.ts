import Papa from "papaparse";
import { textOfFile } from "./text-of-file.ts";

/** Each line's cells; a line is a row of the spreadsheet, also if a cell has several lines of text. */
export interface CsvRows {
  rows: string[][];
  /** The first line with a quote that begins or ends in the wrong place, counted from 1; null if there is none. */
  brokenLine: number | null;
}

const SEPARATORS = [";", ",", "\t"];
/** Excel's own way to name the separator, in a line above the rest. */
const NAMED_SEPARATOR = /^\ufeff?sep=([;,\t])\r?\n/;
/** What `csvText` puts before a text that a spreadsheet would calculate. */
const ESCAPED = /^'(?='*[=+\-@\t\r\n＝＋－＠])/u;

/** A ZIP archive, such as an Excel workbook. */
export const isArchive = ([first, second]: Uint8Array) => first === 0x50 && second === 0x4b;

/** Reads a file as spreadsheets save it: in any usual encoding, separated by semicolons, commas or tabs. */
export function readCsv(bytes: Uint8Array): CsvRows {
  const text = textOfFile(bytes);
  const [above = "", named] = NAMED_SEPARATOR.exec(text) ?? [];
  const content = text.slice(above.length).replace(/^\ufeff/, "");
  const { data, errors } = Papa.parse<string[]>(content, { delimiter: named ?? separatorOf(content) });
  const skipped = above === "" ? [] : [[""]];
  const broken = errors.find(({ type }) => type === "Quotes");
  return {
    rows: [...skipped, ...data.map((cells) => cells.map((cell) => cell.replace(ESCAPED, "").trim()))],
    brokenLine: broken === undefined ? null : (broken.row ?? 0) + 1 + skipped.length,
  };
}

/** The one that the first line has most of: it names the columns, so only it has as many as all others should. */
function separatorOf(content: string): string {
  const columnsBy = (delimiter: string) =>
    Papa.parse<string[]>(content, { delimiter, preview: 1, skipEmptyLines: true }).data[0]?.length ?? 0;
  return SEPARATORS.reduce((best, one) => (columnsBy(one) > columnsBy(best) ? one : best), ";");
}
