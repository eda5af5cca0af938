import { NO_LIMIT } from "@krug/domain/config-rules";
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
import { ClubMoment, Flag, FlagNumber, Id, line, QuotaBytes, Time, TimeOrDay, twins } from "./fields.ts";

type Schemas<Values> = { [Name in keyof Values]: z.ZodType<Values[Name], Values[Name]> };
type Input<F extends Field> = F["kind"] extends "flag" ? z.input<typeof Flag> : ValueOf<F>;

const LONGEST_TEXT = 200;

/** `seen`: what an editor saw, no larger than what may be sent. */
type Face = "answered" | "seen" | "sent";

function schemaOf(field: Field, face: Face): z.ZodType {
  const { list, least = 0, most = LONGEST_TEXT, nullable } = field;
  const schema = list ? bounded(z.array(oneOf(field, "answered")), face, least, most) : oneOf(field, face);
  return nullable ? schema.nullable() : schema;
}

function bounded(values: z.ZodArray, face: Face, least: number, most: number) {
  if (face === "answered") return values;
  return face === "seen" ? values.max(most) : values.min(least).max(most);
}

function oneOf({ kind, of = [], least = 0, most }: Field, face: Face): z.ZodType {
  const isSent = face === "sent";
  const number = (lowest: number) =>
    face === "answered"
      ? z.int()
      : z
          .int()
          .min(lowest)
          .max(most ?? Number.MAX_SAFE_INTEGER);
  const schemas = {
    text: () =>
      isSent ? line(most ?? LONGEST_TEXT, least) : face === "seen" ? z.string().max(most ?? LONGEST_TEXT) : z.string(),
    choice: () => z.enum([...of]),
    flag: () => (isSent ? Flag : z.boolean()),
    count: () => number(least),
    limit: () => (least > 0 && face !== "answered" ? z.union([z.literal(NO_LIMIT), number(least)]) : number(NO_LIMIT)),
    bytes: () => QuotaBytes,
    money: () => z.int(),
    moment: () => Time,
    day: () => (isSent ? TimeOrDay : ClubMoment),
    id: () => Id,
  };
  return schemas[kind]();
}

const shapeOf = (names: readonly string[], schema: (name: string) => z.ZodType) =>
  Object.fromEntries(names.map((name) => [name, schema(name)]));

/** What an answer has of these fields, under both spellings. */
export function answered<Given extends Fields>(fields: Given) {
  const schema = (name: string, twin = false) =>
    twin && fields[name]?.kind === "flag" ? FlagNumber : schemaOf(fields[name] as Field, "answered");
  const spellings = spellingsOf(fields);
  return {
    ...shapeOf(shownNames(fields), schema),
    ...shapeOf(Object.keys(spellings), (twin) => schema(spellings[twin] ?? "", true)),
  } as unknown as Schemas<ValuesOf<Given>> & Schemas<TwinsOf<Given>>;
}

/** Those that staff edit, all of them: for a new one. */
export const settable = <Given extends Fields>(fields: Given) =>
  shapeOf(editedNames(fields), (name) => schemaOf(fields[name] as Field, "sent")) as unknown as {
    [Name in EditedName<Given>]: z.ZodType<ValueOf<Given[Name]>, Input<Given[Name]>>;
  };

/** What a change may set: any of them. */
export const changeable = <Given extends Fields>(fields: Given) => z.object(settable(fields)).partial().shape;

/**
 * `expected` of a change: the values the editor saw in the fields being changed. If one differs now, nothing changes and the editor
 * is told, so two people who edit one thing never overwrite each other unknowingly.
 */
export const expectedOf = <Given extends Fields>(fields: Given) =>
  z
    .strictObject(
      shapeOf(editedNames(fields), (name) => schemaOf(fields[name] as Field, "seen")) as unknown as Schemas<
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
