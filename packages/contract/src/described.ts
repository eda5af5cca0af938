import {
  type EditedName,
  editedNames,
  type Field,
  type Fields,
  type ShownName,
  shownNames,
  spellingsOf,
  type TwinsOf,
  type ValueOf,
  type ValuesOf,
} from "@krug/domain/fields/field";
import { z } from "zod";
import { ClubMoment, Flag, FlagNumber, line, QuotaBytes, Time, TimeOrDay, twins } from "./fields.ts";

type Schemas<Values> = { [Name in keyof Values]: z.ZodType<Values[Name], Values[Name]> };
type Input<F extends Field> = F["kind"] extends "flag" ? z.input<typeof Flag> : ValueOf<F>;

const LONGEST_TEXT = 200;

/** As it is answered; `bounded`: no larger than one that may be sent. */
function schemaOf({ kind, of = [], most = LONGEST_TEXT, nullable }: Field, bounded = false): z.ZodType {
  const schema = {
    text: () => (bounded ? z.string().max(most) : z.string()),
    choice: () => z.enum([...of]),
    flag: () => z.boolean(),
    count: () => z.int(),
    limit: () => (bounded ? z.int().min(-1).max(most) : z.int()),
    bytes: () => QuotaBytes,
    money: () => z.int(),
    moment: () => Time,
    day: () => ClubMoment,
  }[kind]();
  return nullable ? schema.nullable() : schema;
}

function inputOf(field: Field): z.ZodType {
  const { kind, most = LONGEST_TEXT, nullable } = field;
  if (kind !== "flag" && kind !== "day" && kind !== "text") return schemaOf(field, true);
  const schema = kind === "flag" ? Flag : kind === "day" ? TimeOrDay : line(most, 0);
  return nullable ? schema.nullable() : schema;
}

const shapeOf = (names: readonly string[], schema: (name: string) => z.ZodType) =>
  Object.fromEntries(names.map((name) => [name, schema(name)]));

/** What an answer has of these fields, under both spellings. */
export function answered<Given extends Fields>(fields: Given) {
  const schema = (name: string, twin = false) =>
    twin && fields[name]?.kind === "flag" ? FlagNumber : schemaOf(fields[name] as Field);
  const spellings = spellingsOf(fields);
  return {
    ...shapeOf(shownNames(fields), schema),
    ...shapeOf(Object.keys(spellings), (twin) => schema(spellings[twin] ?? "", true)),
  } as unknown as Schemas<ValuesOf<Given>> & Schemas<TwinsOf<Given>>;
}

/** What a change may set: any of those that staff edit. */
export const changeable = <Given extends Fields>(fields: Given) =>
  shapeOf(editedNames(fields), (name) => inputOf(fields[name] as Field).optional()) as unknown as {
    [Name in EditedName<Given>]: z.ZodOptional<z.ZodType<ValueOf<Given[Name]>, Input<Given[Name]>>>;
  };

/**
 * `expected` of a change: the values the editor saw in the fields being changed. If one differs now, nothing changes and the editor
 * is told, so two people who edit one thing never overwrite each other unknowingly.
 */
export const expectedOf = <Given extends Fields>(fields: Given) =>
  z
    .strictObject(
      shapeOf(editedNames(fields), (name) => schemaOf(fields[name] as Field, true)) as unknown as Schemas<
        Pick<ValuesOf<Given>, EditedName<Given> & ShownName<Given>>
      >,
    )
    .partial()
    .optional();

/** Takes the fields' second spellings too. */
export const withSpellings = <Schema extends z.ZodObject>(
  schema: Schema,
  fields: Fields,
  more: Readonly<Record<string, keyof Schema["shape"]>> = {},
) => {
  const known = Object.entries(spellingsOf(fields)).filter(([, name]) => name in schema.shape);
  return twins(schema, { ...(Object.fromEntries(known) as typeof more), ...more });
};
