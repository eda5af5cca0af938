import { refusals, refusalText } from "@krug/contract/refusals";
import { NOTICE_KINDS, noticeText, paramsThatAre, type Told } from "@krug/domain/notices";
import { sampleParams } from "@krug/domain/notices/sample";
import { expect, test } from "vitest";

/* A word right after a number agrees with it: 1 конфиг, 2 конфига, 5 конфигов, 21 конфиг; 1 config, 2 configs. */

const NUMBERS = [1, 2, 5, 21] as const;
type Language = "ru" | "en";

/** Words that may follow a number and are no counted noun: units, and other words of the sentence. */
const NO_NOUNS = new Set(
  [
    "с ч мин мс сек дн гб мб кб тб мбит/с из в на и или до от не по за уже раз байт так файла сервер для имя никто даже этот",
    "медленно мог снова ещё ждут закрыт выключен сохранены клубом api b kb mb gb bytes s h ms needs has was is opens does works runs sets",
    "fits forbids blocks serves this dns across only and mbit/s теперь",
  ].flatMap((line) => line.split(" ")),
);
/** Verbs and participles: 'Платёж за 5 получен'. */
const RUSSIAN_VERB = /(?:[её]н|ан|ена|ана|ено|ет|[её]т|ит|ся|ось|ть|ает)$/;

const files = import.meta.glob<Record<string, unknown>>(
  ["../../features/**/*words-ru.ts", "../../features/**/*words-en.ts", "./ru/*.ts", "./en/*.ts"],
  { eager: true },
);

interface Text {
  at: string;
  language: Language;
  say(n: number): string | null;
}

function textsIn(at: string, language: Language, words: unknown): Text[] {
  if (typeof words === "function") {
    const speak = words as (...args: unknown[]) => unknown;
    const say = (n: number) => {
      try {
        const said = speak(...Array(Math.max(1, speak.length)).fill(n));
        return typeof said === "string" ? said : null;
      } catch {
        // It takes something other than numbers.
        return null;
      }
    };
    return [{ at, language, say }];
  }
  if (typeof words !== "object" || words === null) return [];
  return Object.entries(words).flatMap(([key, each]) => textsIn(`${at}.${key}`, language, each));
}

const ofRefusals: Text[] = (["ru", "en"] as const).flatMap((language) =>
  (Object.keys(refusals) as (keyof typeof refusals)[]).map((code) => ({
    at: code,
    language,
    say: (n: number) => {
      const names = [...refusals[code][language].matchAll(/\{(\w+)/g)].map(([, name = ""]) => [name, n]);
      return names.length === 0 ? null : refusalText(code, language, Object.fromEntries(names));
    },
  })),
);
const ofFiles = Object.entries(files).flatMap(([path, module]) =>
  textsIn(path, /words-en\.ts$|\/en\//.test(path) ? "en" : "ru", module),
);
const ofNotices: Text[] = (["ru", "en"] as const).flatMap((language) =>
  NOTICE_KINDS.map((kind) => ({
    at: kind,
    language,
    say: (n: number) => {
      const counts = paramsThatAre(kind, "count", "positive").map((name) => [name, n]);
      const names = paramsThatAre(kind, "texts").map((name) => [name, Array(n).fill("laptop")]);
      if (counts.length + names.length === 0) return null;
      const params = { ...sampleParams(kind), ...Object.fromEntries([...counts, ...names]) };
      const speech = { day: String, moment: String, size: String, money: String };
      const { title, more } = noticeText({ kind, params } as unknown as Told, language, speech);
      return `${title}\n${more}`;
    },
  })),
);

/** What follows this number, in order: up to three words of the sentence. */
const behind = (said: string, n: number) =>
  [...said.matchAll(new RegExp(`(?<![\\d.,:])${n}[ \\u00a0]((?:\\p{L}[\\p{L}/-]*[ \\u00a0]?){1,3})`, "gu"))].map(
    ([, words = ""]) =>
      words
        .toLowerCase()
        .trim()
        .split(/[ \u00a0]/),
  );

/** The counted word: in Russian the next one, in English the first plural. */
function nounOf(words: readonly string[] | undefined, language: Language): string | null {
  const all = words ?? [];
  const noun = language === "ru" ? all[0] : all.find((word) => /[^s]s$/.test(word));
  if (noun === undefined || NO_NOUNS.has(noun) || NO_NOUNS.has(all[0] ?? "")) return null;
  return language === "ru" && RUSSIAN_VERB.test(noun) ? null : noun;
}

/** What is wrong with a text: its words for the four numbers. */
function wrongIn({ language, say }: Text): string | null {
  const found = NUMBERS.map((n) => {
    const said = say(n);
    return said === null ? [] : behind(said, n);
  });
  for (const fromEnd of found[2]?.keys() ?? []) {
    // From the end: some texts have another 1 before, or use 'a minute ago' for one.
    const all = found.map((words) => words.at(-1 - fromEnd));
    const noun = nounOf(all[2], language);
    if (noun === null) continue;
    const words = all.map((each) => each?.[all[2]?.indexOf(noun) ?? 0] ?? "");
    const [one, two, five, twentyOne] = words;
    if (one === "" && twentyOne !== five) continue;
    const isRight = language === "ru" ? one !== five && one === twentyOne : one !== two && two === twentyOne;
    if (!isRight) return words.join(", ");
  }
  return null;
}

test("every counted word agrees with its number, in both languages", () => {
  const texts = [...ofRefusals, ...ofFiles, ...ofNotices];
  expect(texts.length).toBeGreaterThan(1_000);
  const wrong = texts.flatMap((text) => {
    const words = wrongIn(text);
    return words === null ? [] : [`${text.language} ${text.at}: ${words}`];
  });
  expect(wrong).toEqual([]);
});

test.each([
  ["ru", (n: number) => `${n} конфигов`, "конфигов, конфигов, конфигов, конфигов"],
  ["en", (n: number) => `${n} configs now`, "configs, configs, configs, configs"],
  ["ru", (n: number) => `Осталось ${n} с`, null],
] as const)("the check itself notices %s: %s", (language, say, wrong) => {
  expect(wrongIn({ at: "", language, say })).toBe(wrong);
});
