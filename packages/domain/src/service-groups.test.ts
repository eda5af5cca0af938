import { expect, test } from "vitest";
import { inGroups, isFoundBy, pictureOf, SERVICE_PICTURE } from "./service-groups.ts";

const service = (name: string, group: "everything" | "video" | "other", description = "") => ({
  name,
  group,
  description,
});

test.each(["", "▶️", "🎬", "👩‍💻", "👍🏽", "🇷🇺", "Ю", "Y", "7", "❤️"])("%j is a picture", (text) => {
  expect(SERVICE_PICTURE.test(text)).toBe(true);
});

test.each(["YT", "🎬🎬", "🎬a", " ", "<", "🇷", "\u200d", "а\n"])("%j is none", (text) => {
  expect(SERVICE_PICTURE.test(text)).toBe(false);
});

test("without a picture the first letter of the name stands for it, in any script", () => {
  expect(["youtube", "яндекс", "😀 чат"].map((name) => pictureOf({ name, picture: "" }))).toEqual(["Y", "Я", "😀"]);
  expect(pictureOf({ name: "YouTube", picture: "▶️" })).toBe("▶️");
});

test("groups have one order, services within them keep theirs, and empty groups are absent", () => {
  const list = [
    service("Почта", "other"),
    service("YouTube", "video"),
    service("Всё", "everything"),
    service("Кино", "video"),
  ];
  expect(inGroups(list).map(({ group, services }) => [group, services.map(({ name }) => name)])).toEqual([
    ["everything", ["Всё"]],
    ["video", ["YouTube", "Кино"]],
    ["other", ["Почта"]],
  ]);
});

test.each([
  ["you", true],
  ["РОЛИКИ", true],
  ["видео", true],
  ["video you", true],
  ["музыка", false],
])("looking for %j", (words, isFound) => {
  expect(isFoundBy(service("YouTube", "video", "Ролики и трансляции"), words)).toBe(isFound);
});
