import type { Language } from "@krug/contract/refusals";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Limit = Extract<Issue, { code: "too_small" | "too_big" }>;

const words = {
  ru: {
    unknown: "такого поля нет",
    sign: "содержит недопустимый знак",
    empty: "не может быть пустым",
    unfit: "такое значение не подходит",
    types: {
      string: "нужен текст",
      number: "нужно число",
      int: "нужно целое число",
      boolean: "нужно true или false",
      array: "нужен список",
      object: "нужен объект",
    } as Record<string, string>,
    formats: {
      date: "нужна дата вида 2026-11-21",
      datetime: "нужно время вида 2026-11-21T09:00:00Z",
      uuid: "нужен номер вида 123e4567-e89b-12d3-a456-426614174000",
    } as Record<string, string>,
    of: { string: "знаков: ", array: "элементов: " } as Record<string, string>,
    least: { true: "не меньше", false: "больше" },
    most: { true: "не больше", false: "меньше" },
    oneOf: (values: string) => `нужно одно из: ${values}`,
    tooDeep: (most: number) => `вложено глубже ${most} уровней`,
    tooManyValues: (most: number) => `значений больше ${most}`,
  },
  en: {
    unknown: "there is no such field",
    sign: "contains a character that is not allowed",
    empty: "cannot be empty",
    unfit: "such a value does not fit",
    types: {
      string: "takes a text",
      number: "takes a number",
      int: "takes a whole number",
      boolean: "takes true or false",
      array: "takes a list",
      object: "takes an object",
    } as Record<string, string>,
    formats: {
      date: "takes a date like 2026-11-21",
      datetime: "takes a time like 2026-11-21T09:00:00Z",
      uuid: "takes an id like 123e4567-e89b-12d3-a456-426614174000",
    } as Record<string, string>,
    of: { string: "characters: ", array: "items: " } as Record<string, string>,
    least: { true: "at least", false: "more than" },
    most: { true: "at most", false: "less than" },
    oneOf: (values: string) => `takes one of: ${values}`,
    tooDeep: (most: number) => `nested more than ${most} levels deep`,
    tooManyValues: (most: number) => `holds more than ${most} values`,
  },
};

/** What is wrong with a field, as one person says it to another. */
export function problemOf(issue: Issue, language: Language): string {
  const say = words[language];
  switch (issue.code) {
    case "unrecognized_keys":
      return say.unknown;
    case "invalid_type":
      return say.types[issue.expected] ?? say.unfit;
    case "invalid_value":
      return say.oneOf(issue.values.map(String).join(", "));
    case "invalid_format":
      // A pattern tells nobody anything.
      return issue.format === "regex" ? say.sign : (say.formats[issue.format] ?? say.unfit);
    case "too_small":
    case "too_big":
      return limitIn(issue, language);
    default:
      return say.unfit;
  }
}

/** Text with a sign in it that none may have. */
export const wrongSign = (language: Language): string => words[language].sign;

/** A body that is made of more than its call takes. */
export const wrongShape = (language: Language, shape: "tooDeep" | "tooManyValues", most: number): string =>
  words[language][shape](most);

function limitIn(issue: Limit, language: Language): string {
  const say = words[language];
  const of = say.of[issue.origin] ?? "";
  const bound = `${issue.inclusive !== false}` as const;
  if (issue.code === "too_big") return `${of}${say.most[bound]} ${issue.maximum}`;
  return of !== "" && Number(issue.minimum) === 1 ? say.empty : `${of}${say.least[bound]} ${issue.minimum}`;
}
