import {
  type ColumnsOf,
  columnOf,
  type EditedName,
  editedNames,
  type Fields,
  shownNames,
  type TwinsOf,
  twinsOf,
  type ValuesOf,
} from "@krug/domain/fields/field";
import type { ClubTime } from "./club-time.ts";

type Row<Given extends Fields> = Readonly<ColumnsOf<Given>>;

/** A list's column holds JSON. */
const listOr = (list: true | undefined, value: unknown): unknown =>
  list && typeof value === "string" ? JSON.parse(value) : value;

/** What a row holds by the wire's names, moments as dates: `changedMeanwhile` compares with it. */
export function seenOf<Given extends Fields>(fields: Given, row: Row<Given>) {
  const columns: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(
    shownNames(fields).map((name) => {
      const { kind, list } = fields[name] ?? {};
      const value = listOr(list, columns[columnOf(fields, name)]);
      if (kind === "flag") return [name, value === 1];
      return [name, (kind === "moment" || kind === "day") && typeof value === "number" ? new Date(value) : value];
    }),
  ) as { [Name in keyof ValuesOf<Given>]: unknown };
}

/** The same as the contract shows it, under both spellings. */
export function answeredOf<Given extends Fields>(
  fields: Given,
  row: Row<Given>,
  clubTime: ClubTime,
): ValuesOf<Given> & TwinsOf<Given> {
  const values = Object.fromEntries(
    Object.entries(seenOf(fields, row)).map(([name, value]) => {
      if (!(value instanceof Date)) return [name, value];
      return [name, fields[name]?.kind === "day" ? clubTime.write(value.getTime()) : value.toISOString()];
    }),
  ) as ValuesOf<Given>;
  return { ...values, ...twinsOf(fields, values) };
}

/** The columns that a change sets, except days: what a written day means is a rule of its own. */
export function columnsOf<Given extends Fields, Input extends Readonly<Partial<Record<keyof Given, unknown>>>>(
  fields: Given,
  input: Input,
) {
  return Object.fromEntries(
    editedNames(fields).flatMap((name) => {
      const { kind, list } = fields[name] ?? {};
      const value = input[name];
      if (value === undefined || kind === "day") return [];
      const kept = kind === "flag" ? Number(value) : list ? JSON.stringify([...new Set(value as unknown[])]) : value;
      return [[columnOf(fields, name), kept]];
    }),
  ) as Input extends Record<EditedName<Given>, NonNullable<unknown> | null>
    ? ColumnsOf<Pick<Given, EditedName<Given>>>
    : Partial<ColumnsOf<Given>>;
}

/** The columns for the audit, lists as lists. */
export const recordedOf = <Given extends Fields>(fields: Given, row: Row<Given>) => {
  const columns: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { list }]) => {
      const column = columnOf(fields, name);
      return [column, listOr(list, columns[column])];
    }),
  );
};
