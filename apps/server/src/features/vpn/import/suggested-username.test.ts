import { expect, test } from "vitest";
import { suggestedUsername } from "./suggested-username.ts";

test.each([
  ["anna", "anna"],
  ["Щукин, телефон", "shchukin-telefon"],
  ["Émile's phone [Android 15]", "emile-s-phone-android-15"],
  ["Аня", "ania"],
  ["ю", "member-7"],
  [null, "member-7"],
  ["x".repeat(70), "x".repeat(29)],
])("%j suggests the username %j", (name, username) => expect(suggestedUsername(name, 6, new Set())).toBe(username));

test("two devices of one name are two suggestions, and a member's username is none", () => {
  const taken = new Set(["anna"]);
  expect([1, 2].map((index) => suggestedUsername("Anna", index, taken))).toEqual(["anna-2", "anna-3"]);
});
