import { z } from "zod";
import { refuseField } from "./refusal.ts";

/** A row's place in an ordered list: its value in that order, then its id, since rows may share a value. */
export interface Place<Key extends string | number = number> {
  key: Key;
  id: string;
}

const text = z.string().refine((value) => !value.includes("\0"));
const PLACES = { number: z.tuple([z.int(), text]), text: z.tuple([text, text]) };
interface KeyOf {
  number: number;
  text: string;
}

/** Opaque to clients: base64url of a JSON pair. */
export const writeCursor = (key: string | number, id: string): string =>
  Buffer.from(JSON.stringify([key, id])).toString("base64url");

const BAD_CURSOR = { ru: "это не место в списке", en: "this is no place in the list" };

/** Where the last page ended; undefined for the first page. @throws Refusal request.invalid that names the cursor */
export function readCursor<Kind extends keyof KeyOf>(
  cursor: string | undefined,
  kind: Kind,
): Place<KeyOf[Kind]> | undefined {
  if (cursor === undefined) return undefined;
  const read = PLACES[kind].safeParse(jsonOf(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) refuseField("cursor", BAD_CURSOR);
  return { key: read.data[0] as KeyOf[Kind], id: read.data[1] };
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

export interface PageOf<Row> {
  rows: Row[];
  /** The cursor of the next page; null after the last. */
  next: string | null;
}

/** How large a page is: at most `limit` rows; the last one up to `spare` more, so that no page is left with only those. */
export interface PageSize {
  limit: number;
  spare?: number;
}

/** How many rows to read to fill a page. */
export const rowsFor = ({ limit, spare = 0 }: PageSize): number => limit + spare + 1;

/** `found`: up to `rowsFor(size)` rows. */
export function pageOf<Row>(found: readonly Row[], size: PageSize, cursorAt: (last: Row) => string): PageOf<Row> {
  const rows = found.length < rowsFor(size) ? [...found] : found.slice(0, size.limit);
  const last = rows.at(-1);
  return { rows, next: found.length > rows.length && last !== undefined ? cursorAt(last) : null };
}

/** Sets the headers of a page (decisions, section 13). `total`: absent if counting would cost more than it is worth. */
export function tellPage(
  reply: { header(name: string, value: string): unknown },
  { next, total }: { next: string | null; total?: number },
): void {
  if (next !== null) reply.header("x-next-cursor", next);
  if (total !== undefined) reply.header("x-total-count", String(total));
}
