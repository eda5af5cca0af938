import { expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "./input.ts";

const schema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(3)
      .regex(/^[a-z]*$/),
    count: z.int().min(2).max(9),
    share: z.number().positive(),
    on: z.boolean(),
    list: z.array(z.string()).min(1).max(2),
    kind: z.enum(["day", "year"]),
    flag: z.literal([0, 1]),
    day: z.iso.date(),
    at: z.iso.datetime(),
    id: z.uuid(),
    until: z.union([z.iso.datetime(), z.iso.date()]),
    isOn: z.union([z.boolean(), z.literal([0, 1])]),
    code: z.string().refine((code) => code === "RUB"),
  })
  .partial();

const problem = (input: unknown, language: "ru" | "en" = "ru") => {
  try {
    parseInput(schema, input, language);
    return null;
  } catch (refusal) {
    return (refusal as { details: { problem: string } }).details.problem;
  }
};

test.each([
  [{ name: "" }, "не может быть пустым"],
  [{ name: "abcd" }, "знаков: не больше 3"],
  [{ name: "A" }, "содержит недопустимый знак"],
  [{ name: "a\0" }, "содержит недопустимый знак"],
  [{ name: 5 }, "нужен текст"],
  [{ count: 1 }, "не меньше 2"],
  [{ count: 10 }, "не больше 9"],
  [{ count: 2.5 }, "нужно целое число"],
  [{ share: "x" }, "нужно число"],
  [{ share: 0 }, "больше 0"],
  [{ on: "yes" }, "нужно true или false"],
  [{ list: [] }, "не может быть пустым"],
  [{ list: ["a", "b", "c"] }, "элементов: не больше 2"],
  [{ list: "a" }, "нужен список"],
  [{ kind: "decade" }, "нужно одно из: day, year"],
  [{ flag: 4 }, "нужно одно из: 0, 1"],
  [{ day: "2026-02-30" }, "нужна дата вида 2026-11-21"],
  [{ at: "now" }, "нужно время вида 2026-11-21T09:00:00Z"],
  [{ id: "1" }, "нужен номер вида 123e4567-e89b-12d3-a456-426614174000"],
  [{ until: "2026-13-45" }, "нужна дата вида 2026-11-21"],
  [{ until: 5 }, "нужен текст"],
  [{ isOn: "so" }, "нужно true или false"],
  [{ code: "x" }, "такое значение не подходит"],
  [{ colour: "red" }, "такого поля нет"],
  [null, "нужен объект"],
])("%j is refused in plain words", (input, expected) => {
  expect(problem(input)).toBe(expected);
  expect(problem(input, "en")).toMatch(/^[a-z][^«»]+$/);
});

test("valid input passes", () => {
  expect(problem({ name: "abc", count: 2, list: ["a"] })).toBeNull();
});
