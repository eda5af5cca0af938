import { expect, test } from "vitest";
import { nameKey, wordsSought } from "./name-search.ts";

test.each([
  ["Алёна Королёва", "алена королева"],
  ["ANNA", "anna"],
])("%s is stored as %s", (name, key) => expect(nameKey(name)).toBe(key));

test.each<[string, string[][]]>([
  ["", []],
  ["  ", []],
  ["Королёва алёна", [["королева"], ["алена"]]],
  // Every letter looks the same in the other alphabet.
  ["росс", [["росс", "pocc"]]],
  ["mama", [["mama", "мама"]]],
  ["к-2", [["к-2", "k-2"]]],
  // One letter was typed in the other alphabet: a Latin a, a Cyrillic а.
  ["Димa", [["димa", "дима"]]],
  ["аnna", [["аnna", "anna"]]],
  // One of its letters is in no other alphabet.
  ["anton", [["anton"]]],
  // Pasted from Telegram; inside an address it is a sign like any other.
  ["@Anton @", [["anton"], ["@"]]],
  ["anton@mail", [["anton@mail"]]],
  ["a b c d e f g h", ["a", "b", "c", "d", "e", "f"].map((word) => wordsSought(word)[0] ?? [])],
])("%j is looked for as %j", (typed, sought) => expect(wordsSought(typed)).toEqual(sought));
