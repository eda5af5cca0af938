import fc from "fast-check";
import { expect, test } from "vitest";
import { codeInText } from "./code-in-text.ts";
import { INVITE_ALPHABET } from "./invite-rules.ts";

test.each([
  ["K7MPHW"],
  [" k7m-phw "],
  ["k 7 m p h w"],
  ["к7мрнw"],
  ["Ｋ７ＭＰＨＷ"],
  ["Код: 𝗞𝟳𝗠𝗣𝗛𝗪"],
  ["Invite code: K7MPHW"],
  ["invite code k7mphw"],
  ["Your invite code is K7MPHW. Thanks, see you there!"],
  ["THANKS! The code: k7mphw"],
  ["Код приглашения: K7MPHW"],
  ["Код приглашения в клуб «K7MPHW», карета подана"],
  ["Вот твой код, держи: «к7мрнw»"],
  ["твой код — k7mphw, действует 12 часов"],
  ['"K7MPHW"'],
  ["`K7MPHW`"],
  ["**K7MPHW**"],
  ["(K7M-PHW)"],
  ["Code: K7M PHW"],
  ["Код:\u200b K7MPHW\u200b\n\nДействует до 18:00"],
  ["https://club.example/register#code=K7MPHW"],
  ["https://club.example/register#code=k7m-phw."],
  ["Заходи: https://club42.example/register?ref=SUMMER#code=K7MPHW (до вечера)"],
  ["https://club.example/register%23code%3DK7MPHW"],
  ["Заходи, K7MPHW"],
  ["сервер 22334455, код K7MPHW, порт 518202"],
])("%j has the code K7MPHW", (copied) => {
  expect(codeInText(copied)).toBe("K7MPHW");
});

test.each([
  "",
  "Invite code:",
  "привет, карета подана",
  "how are you",
  "K7MPH",
  "K7MPHW2",
  "ABC23O",
  "Код: K7MPH0",
  " ".repeat(1e6),
  `${"a-".repeat(5_000)}`,
])("%j has none", (copied) => {
  expect(codeInText(copied.slice(0, 1e6))).toBeNull();
});

test("a code without digits is found where the text announces it, in either case", () => {
  for (const code of ["KMPHWX", "kmphwx", "кмрнтх"])
    expect(codeInText(`Код: ${code}, до вечера`)).toMatch(/^KMPH[WT]X$/);
});

test("any code is found after 'Invite code: ' and in its link", () => {
  const anyCode = fc.string({ unit: fc.constantFrom(...INVITE_ALPHABET), minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(anyCode, (code) => {
      expect(codeInText(`Invite code: ${code.toLowerCase()}`)).toBe(code);
      expect(codeInText(`Приходи! https://club.example/register#code=${code}`)).toBe(code);
    }),
  );
});
