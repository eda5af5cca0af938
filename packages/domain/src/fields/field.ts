/**
 * What a field holds. `text`: what people type. `limit`: a number, or NO_LIMIT. `money`: hundredths. `moment`: an instant; `day`:
 * the end of a day in the club's time; `id`: of a row. The database stores both as ms, flags as 1 or 0, and lists as JSON.
 */
export type FieldKind = "text" | "choice" | "flag" | "count" | "limit" | "bytes" | "money" | "moment" | "day" | "id";

/** Everything about a field that staff edit. The database, the contract, forms and the audit derive from it. */
export interface Field {
  readonly kind: FieldKind;
  /** Omitted: the field's own name. */
  readonly column?: string;
  /** Any number of such values. */
  readonly list?: true;
  /** The options of a choice. */
  readonly of?: readonly string[];
  /** How many letters, values of a list, or how large a number; 0 by default. */
  readonly least?: number;
  /** The same; 200 letters by default. */
  readonly most?: number;
  readonly nullable?: true;
  /** The specification's second spelling: accepted, and returned too. */
  readonly twin?: string;
  /** Staff change it, sending the value they saw. */
  readonly edited?: true;
  /** Only the panel and the audit see it. */
  readonly inner?: true;
  /** The column's value in a new row if none is given. */
  readonly first?: string | number | null | readonly string[];
  /** Its value once the row must no longer identify anyone. Texts and nullable fields are cleared anyway; other fields stay. */
  readonly gone?: string | number;
  /** Its label in the audit. */
  readonly ru: string;
  readonly en: string;
}
export type Fields = Readonly<Record<string, Field>>;

type OrNull<F extends Field, Value> = F extends { nullable: true } ? Value | null : Value;
type OneOf<F extends Field> = F extends { of: readonly (infer One)[] } ? One : string;

type Single<F extends Field> = F["kind"] extends "text" | "id"
  ? string
  : F["kind"] extends "choice"
    ? OneOf<F>
    : number;
type Kept<F extends Field> = F extends { list: true } ? string : Single<F>;
type ColumnOf<F extends Field, Name> = F extends { column: infer Column extends string } ? Column : Name & string;
/** The columns of a row. */
export type ColumnsOf<Given extends Fields> = {
  -readonly [Name in keyof Given as ColumnOf<Given[Name], Name>]: OrNull<Given[Name], Kept<Given[Name]>>;
};

type Sent<F extends Field> = F extends { list: true }
  ? Single<F>[]
  : F["kind"] extends "flag"
    ? boolean
    : F["kind"] extends "moment" | "day"
      ? string
      : Single<F>;
/** Its value on the wire. */
export type ValueOf<F extends Field> = OrNull<F, Sent<F>>;

/** The names of those that staff edit, or of those that are answered. */
export type EditedName<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends { edited: true } ? Name : never;
}[keyof Given] &
  string;
export type ShownName<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends { inner: true } ? never : Name;
}[keyof Given] &
  string;
/** What is answered, without the second spellings. */
export type ValuesOf<Given extends Fields> = { [Name in ShownName<Given>]: ValueOf<Given[Name]> };
/** The second spellings of it; that of a flag is 0 or 1. */
export type TwinsOf<Given extends Fields> = {
  [Name in ShownName<Given> as Given[Name] extends { twin: infer Twin extends string }
    ? Twin
    : never]: Given[Name]["kind"] extends "flag" ? 0 | 1 : ValueOf<Given[Name]>;
};

/** Names of texts that staff edit. */
export type TextName<Given extends Fields> = {
  [Name in EditedName<Given>]: Given[Name]["kind"] extends "text" ? Name : never;
}[EditedName<Given>];

type WithFirst<Given extends Fields> = {
  [Name in keyof Given]: "first" extends keyof Given[Name] ? Name : never;
}[keyof Given];

const entries = (fields: Fields) => Object.entries(fields);
/** The column of a field by its name in the API. */
export const columnOf = (fields: Fields, name: string) => fields[name]?.column ?? name;
const columns = (fields: Fields, value: (field: Field) => Field["first"]) =>
  Object.fromEntries(
    entries(fields).flatMap(([name, field]) => {
      const is = value(field);
      return is === undefined ? [] : [[columnOf(fields, name), is]];
    }),
  );

const namesOf = (fields: Fields, is: (field: Field) => boolean | undefined) =>
  entries(fields).flatMap(([name, field]) => (is(field) ? [name] : []));
export const editedNames = <Given extends Fields>(fields: Given) =>
  namesOf(fields, ({ edited }) => edited) as EditedName<Given>[];
export const shownNames = <Given extends Fields>(fields: Given) =>
  namesOf(fields, ({ inner }) => inner !== true) as ShownName<Given>[];
export const textNames = <Given extends Fields>(fields: Given) =>
  namesOf(fields, ({ edited, kind }) => edited && kind === "text") as TextName<Given>[];

/** Only these fields of something that has more. */
export const valuesIn = <Given extends Fields>(fields: Given, values: ValuesOf<Given>) =>
  Object.fromEntries(shownNames(fields).map((name) => [name, values[name]])) as ValuesOf<Given>;

/** Which field each second spelling means. */
export const spellingsOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(entries(fields).flatMap(([name, { twin }]) => (twin === undefined ? [] : [[twin, name]])));

/** The values again under their second spellings. */
export const twinsOf = <Given extends Fields>(fields: Given, values: ValuesOf<Given>) =>
  Object.fromEntries(
    Object.entries(spellingsOf(fields)).map(([twin, name]) => {
      const value: unknown = values[name as ShownName<Given>];
      return [twin, typeof value === "boolean" ? Number(value) : value];
    }),
  ) as TwinsOf<Given>;

/** What a new row has unless it is given. */
export const firstColumns = <Given extends Fields>(fields: Given) =>
  columns(fields, ({ first }) => first) as Pick<
    ColumnsOf<Given>,
    { [Name in WithFirst<Given>]: ColumnOf<Given[Name], Name> }[WithFirst<Given>] & keyof ColumnsOf<Given>
  >;

/** What the wire has of a new row, as far as its columns have a first value; samples begin with it. */
export const firstValues = <Given extends Fields>(fields: Given) =>
  Object.fromEntries(
    shownNames(fields).map((name) => {
      const { kind, list, first, nullable } = fields[name] as Field;
      if (kind === "flag") return [name, first === 1];
      return [name, first ?? (nullable ? null : list ? [] : "")];
    }),
  ) as ValuesOf<Given>;

/** What a row has once nothing may tell whose it was. */
export const goneColumns = <Given extends Fields>(fields: Given) =>
  columns(
    fields,
    ({ kind, nullable, gone }) => gone ?? (nullable ? null : kind === "text" ? "" : undefined),
  ) as Partial<ColumnsOf<Given>>;

/** The API's name for a column's value. */
export const nameOfColumn = (fields: Fields, column: string): string | undefined =>
  Object.keys(fields).find((name) => columnOf(fields, name) === column);

/** The kind of each field. */
export const kindsOf = <Given extends Fields>(fields: Given) =>
  Object.fromEntries(entries(fields).map(([name, { kind }]) => [name, kind])) as {
    [Name in keyof Given]: Given[Name]["kind"];
  };

/** The audit's label of each field, in a language. */
export const labelsOf = <Given extends Readonly<Record<string, { readonly ru: string; readonly en: string }>>>(
  fields: Given,
  language: "ru" | "en",
) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[language]])) as Record<
    keyof Given,
    string
  >;
