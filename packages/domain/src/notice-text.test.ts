import { expect, test } from "vitest";
import { noticeText } from "./notice-text.ts";
import { noticeWords } from "./notice-words.ts";
import type { Told } from "./told.ts";

const speech = { day: String, moment: () => "3 октября, 14:20", size: String, money: String };
const said = (told: Told) => noticeText(told, noticeWords.ru, speech).more;
const until = "2026-10-03T14:20:00+03:00";

test.each([
  [false, /не дольше\.$/],
  [undefined, /не дольше\.$/],
  [true, /не дольше\. Для нового файла нужно приложение AmneziaWG или AmneziaVPN\.$/],
])("a device that moved names its other app where it needs one (%s)", (needsAmneziawg, expected) => {
  expect(said({ kind: "config_moved", params: { name: "laptop", until, needsAmneziawg } })).toMatch(expected);
  expect(said({ kind: "configs_moved", params: { names: ["laptop"], until, needsAmneziawg } })).toMatch(expected);
});
