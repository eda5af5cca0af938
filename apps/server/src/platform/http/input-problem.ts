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
      month: "нужен месяц вида 2026-11",
      sum: "нужна сумма вида 300 или 10.99",
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
    unknown: "unknown field",
    sign: "contains a character that is not allowed",
    empty: "cannot be empty",
    unfit: "invalid value",
    types: {
      string: "must be text",
      number: "must be a number",
      int: "must be a whole number",
      boolean: "must be true or false",
      array: "must be a list",
      object: "must be an object",
    } as Record<string, string>,
    formats: {
      month: "must be a month like 2026-11",
      sum: "must be a sum like 300 or 10.99",
      date: "must be a date like 2026-11-21",
      datetime: "must be a time like 2026-11-21T09:00:00Z",
      uuid: "must be an id like 123e4567-e89b-12d3-a456-426614174000",
    } as Record<string, string>,
    of: { string: "characters: ", array: "items: " } as Record<string, string>,
    least: { true: "at least", false: "more than" },
    most: { true: "at most", false: "less than" },
    oneOf: (values: string) => `must be one of: ${values}`,
    tooDeep: (most: number) => `nested more than ${most} levels deep`,
    tooManyValues: (most: number) => `contains more than ${most} values`,
  },
};

/** A field's problem in plain words. */
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
      // A regular expression would tell the reader nothing.
      return issue.format === "regex" ? say.sign : (say.formats[issue.format] ?? say.unfit);
    case "too_small":
    case "too_big":
      return limitIn(issue, language);
    case "invalid_union":
      return closestIn(issue, language);
    default:
      return say.unfit;
  }
}

/** Of several ways to write a value, what the last one of the right type expects, such as a day; else what the first expects. */
function closestIn({ errors }: Extract<Issue, { code: "invalid_union" }>, language: Language): string {
  const own = errors.flatMap(([first]) => (first && first.path.length === 0 ? [first] : []));
  const closest = own.findLast(({ code }) => code === "invalid_format") ?? own[0];
  return closest === undefined ? words[language].unfit : problemOf(closest, language);
}

/** Text with a character that is never allowed. */
export const wrongSign = (language: Language): string => words[language].sign;

/** A body with more parts than its call accepts. */
export const wrongShape = (language: Language, shape: "tooDeep" | "tooManyValues", most: number): string =>
  words[language][shape](most);

function limitIn(issue: Limit, language: Language): string {
  const say = words[language];
  const of = say.of[issue.origin] ?? "";
  const bound = `${issue.inclusive !== false}` as const;
  if (issue.code === "too_big") return `${of}${say.most[bound]} ${issue.maximum}`;
  return of !== "" && Number(issue.minimum) === 1 ? say.empty : `${of}${say.least[bound]} ${issue.minimum}`;
}
