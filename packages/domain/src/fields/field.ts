/**
 * What a field holds. `text`: what people type. `limit`: a number, or NO_LIMIT. `money`: hundredths. `moment`: an instant; `day`: the
 * end of a day of the club. The database keeps both as ms, and flags as 1 or 0.
 */
export type FieldKind = "text" | "choice" | "flag" | "count" | "limit" | "bytes" | "money" | "moment" | "day";

/** All that holds for a field of something that staff edit. The database, the contract, forms and the audit derive from it. */
export interface Field {
  readonly kind: FieldKind;
  readonly column: string;
  /** What a choice is between. */
  readonly of?: readonly string[];
  /** Letters of a text, or the largest limit. */
  readonly most?: number;
  readonly nullable?: true;
  /** The specification's second spelling: read, and answered too. */
  readonly twin?: string;
  /** Staff change it, saying what they saw. */
  readonly edited?: true;
  /** Only the panel and the audit see it. */
  readonly inner?: true;
  /** The column's value in a new row, if that is not given. */
  readonly first?: string | number | null;
  /** And once nothing may tell whose it was. Texts and what may be null go by themselves; else it stays. */
  readonly gone?: string | number;
  /** What the audit calls it. */
  readonly ru: string;
  readonly en: string;
}
export type Fields = Readonly<Record<string, Field>>;

const entries = (fields: Fields) => Object.entries(fields);

/** The wire's name of what is kept in a column. */
export const nameOfColumn = (fields: Fields, column: string): string | undefined =>
  entries(fields).find(([, field]) => field.column === column)?.[0];

/** What the audit calls each, in a language. */
export const labelsOf = <Given extends Fields>(fields: Given, language: "ru" | "en") =>
  Object.fromEntries(entries(fields).map(([name, field]) => [name, field[language]])) as Record<keyof Given, string>;
