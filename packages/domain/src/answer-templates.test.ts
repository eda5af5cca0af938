import fc from "fast-check";
import { expect, test } from "vitest";
import { filledIn, unknownPlaceholder } from "./answer-templates.ts";

const anna = { name: "Анна", username: "anna" };

test.each([
  ["Здравствуйте, {имя}!", "Здравствуйте, Анна!"],
  ["Hello {name}, your username is {username}.", "Hello Анна, your username is anna."],
  ["{ Имя }: {ЛОГИН}, {имя}", "Анна: anna, Анна"],
  ["PostUp = { ip link }", "PostUp = { ip link }"],
  ["{}, {1}, {имя", "{}, {1}, {имя"],
])("%s is filled in as %s", (text, filled) => expect(filledIn(text, anna)).toBe(filled));

test.each([
  ["Здравствуйте, {имя}! {username}", null],
  ["До {дата}", "{дата}"],
  ["{имя}, {Your Name}", "{Your Name}"],
  ["{constructor}", "{constructor}"],
  ["{}, {1}, {x=1}", null],
])("of %s, the panel does not know %s", (text, unknown) => expect(unknownPlaceholder(text)).toBe(unknown));

test("a member's name is never read as a placeholder or a pattern", () => {
  expect(filledIn("{имя}", { name: "{логин}", username: "anna" })).toBe("{логин}");
  expect(filledIn("{имя}!", { name: "$& $1", username: "anna" })).toBe("$& $1!");
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, rest) => {
      const text = rest.replaceAll(/[{}]/g, "");
      expect(filledIn(`${text}{имя}${text}`, { name, username: "x" })).toBe(`${text}${name}${text}`);
    }),
  );
});
