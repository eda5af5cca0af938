import { expect, test } from "vitest";
import { detailsParts } from "./details-parts.ts";

const kinds = (text: string) => detailsParts(text).map((part) => [part.kind, part.text]);

test("card and phone numbers are copied without blanks", () => {
  const parts = detailsParts("Карта: 2200 1234 5678 9012\nили по телефону +7 (912) 345-67-89, Иван");
  expect(parts.filter(({ kind }) => kind === "number")).toEqual([
    { kind: "number", text: "2200 1234 5678 9012", copied: "2200123456789012" },
    { kind: "number", text: "+7 (912) 345-67-89", copied: "+79123456789" },
  ]);
});

test("only https becomes a link, and the end of a sentence is not part of it", () => {
  expect(kinds("Перевод: https://pay.example/club?x=1. Не http://pay.example и не javascript:alert(1)")).toEqual([
    ["words", "Перевод: "],
    ["link", "https://pay.example/club?x=1"],
    ["words", ". Не http://pay.example и не javascript:alert(1)"],
  ]);
});

test.each(["", "300 рублей в месяц", "до 12.11.2026", "https://", "ab1234567890", "12345"])("%j is text", (text) => {
  expect(detailsParts(text).every(({ kind }) => kind === "words")).toBe(true);
});

test("the joined parts are the text", () => {
  const text = "Счёт 40817810099910004312\nhttps://a.example/1, +79123456789; 1234 5678 90";
  expect(
    detailsParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
