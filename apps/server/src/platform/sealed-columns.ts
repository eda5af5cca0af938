import { sql } from "kysely";
import type { Tx } from "./database/database.ts";

/** A column of sealed texts. Each feature declares its own, so a master key rotation misses none. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key; text columns. */
  key: readonly string[];
  /** What a text is bound to, from its row's primary key. */
  place(key: Record<string, string>): string;
}

/** A sealed text and its place. */
export interface SealedText {
  key: Record<string, string>;
  place: string;
  text: string;
}

/** A column's texts in primary key order, without those that were wiped. `without`: skips those with this prefix. */
export async function sealedTexts(
  tx: Tx,
  { table, column, key, place }: SealedColumn,
  { after, without, limit }: { after?: SealedText | undefined; without?: string; limit: number },
): Promise<SealedText[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const text = sql.ref(column);
  const other = without === undefined ? sql`` : sql`and substr(${text}, 1, ${sql.lit(without.length)}) <> ${without}`;
  const further =
    after === undefined ? sql`` : sql`and (${keys}) > (${sql.join(key.map((name) => sql`${after.key[name]}`))})`;
  const found = await sql<Record<string, string>>`
    select ${keys}, ${text} as sealed_text from ${sql.table(table)}
    where ${text} <> '' ${other} ${further}
    order by ${keys} limit ${sql.lit(limit)}`.execute(tx);
  return found.rows.map(({ sealed_text, ...ofRow }) => ({ key: ofRow, place: place(ofRow), text: sealed_text ?? "" }));
}

/** Writes the resealed text, unless it has changed meanwhile. */
export async function rewrite(tx: Tx, { table, column }: SealedColumn, was: SealedText, text: string): Promise<void> {
  const conditions = Object.entries({ ...was.key, [column]: was.text }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  );
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where ${sql.join(conditions, sql` and `)}`.execute(
    tx,
  );
}
