import { answered, changeable, expectedOf } from "@krug/contract/described";
import { firstColumns, goneColumns, labelsOf, textNames } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { expect, test } from "vitest";
import { z } from "zod";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { columnsOf, recordedOf, seenOf } from "./described-fields.ts";

/* A text that staff edit and a subscription's second day, as they would be added to a member. */
const FIELDS = {
  ...MEMBER_FIELDS,
  nickname: { kind: "text", column: "nick_name", edited: true, first: "", ru: "прозвище", en: "nickname" },
  places: {
    kind: "id",
    column: "place_ids",
    list: true,
    least: 1,
    most: 2,
    edited: true,
    first: [],
    ru: "места",
    en: "places",
  },
  seats: { kind: "limit", least: 1, most: 9, edited: true, first: 1, ru: "мест", en: "seats" },
  leaveEnd: { kind: "day", column: "leave_end", nullable: true, edited: true, first: null, ru: "отпуск", en: "leave" },
} as const;
const Change = z.strictObject({ ...changeable(FIELDS), expected: expectedOf(FIELDS) });
const PLACE = "5c3c6d0e-0000-4000-8000-000000000001";
const end = Date.UTC(2027, 0, 12, 20, 59, 59);
const row = {
  ...firstColumns(FIELDS),
  username: "boris",
  display_name: "Борис",
  created_at: 0,
  nick_name: "Боря",
  place_ids: '["a","b"]',
  seats: 3,
  leave_end: end,
};

test("a new text needs only its description to be initialised, accepted, answered, exported, named and erased", () => {
  expect(firstColumns(FIELDS)).toMatchObject({ nick_name: "", leave_end: null, is_active: 1 });
  expect(columnsOf(FIELDS, Change.parse({ nickname: "  Боря ", isVip: "1" }))).toEqual({
    nick_name: "Боря",
    is_vip: 1,
  });
  expect(seenOf(FIELDS, row)).toMatchObject({ nickname: "Боря", isActive: true });
  expect(seenOf(FIELDS, row)).not.toHaveProperty("configsBlocked");
  expect(Object.keys(answered(FIELDS))).toEqual(expect.arrayContaining(["nickname", "leaveEnd", "display_name"]));
  expect(textNames(FIELDS)).toEqual(["displayName", "nickname"]);
  expect(labelsOf(FIELDS, "ru").nickname).toBe("прозвище");
  expect(goneColumns(FIELDS)).toMatchObject({ nick_name: "", leave_end: null, display_name: "", role: "user" });
  expect(goneColumns(FIELDS)).not.toHaveProperty("created_at");
});

test.each([
  ["marks that turn the reading direction", { nickname: "Бо\u202eря" }],
  ["what is too long", { nickname: "я".repeat(201) }],
  ["a value that staff do not edit", { createdAt: "2027-01-01T00:00:00Z" }],
  ["a choice that is none", { role: "chief" }],
  ["a list with fewer values than it must have", { places: [] }],
  ["a list with more values than it may have", { places: [PLACE, PLACE, PLACE] }],
  ["a number below the least", { seats: 0 }],
  ["a number above the most", { seats: 10 }],
  ["null where there must be something", { nickname: null }],
])("%s is refused", (_, input) => expect(Change.safeParse(input).success).toBe(false));

test("a list is kept as JSON, each value once, and read and recorded as a list; a limit may be none", () => {
  expect(columnsOf(FIELDS, Change.parse({ places: [PLACE, PLACE], seats: -1 }))).toEqual({
    place_ids: JSON.stringify([PLACE]),
    seats: -1,
  });
  expect(seenOf(FIELDS, row)).toMatchObject({ places: ["a", "b"], seats: 3 });
  expect(recordedOf(FIELDS, row)).toMatchObject({ place_ids: ["a", "b"], is_active: 1, leave_end: end });
});

test("a change of what somebody else changed meanwhile is found, however a moment is written", () => {
  const input = { nickname: "Борька", leaveEnd: "2027-02-01" };
  const changed = (expected: object) =>
    changedMeanwhile(seenOf(FIELDS, row), input, Change.parse({ expected }).expected);
  expect(changed({ nickname: "Боря", leaveEnd: "2027-01-12T23:59:59+03:00" })).toEqual([]);
  expect(changedMeanwhile(seenOf(FIELDS, row), { places: [] }, { places: ["b", "a"] })).toEqual([]);
  expect(changedMeanwhile(seenOf(FIELDS, row), { places: [] }, { places: ["a"] })).toEqual(["places"]);
  expect(changed({ nickname: "", leaveEnd: null, isVip: true })).toEqual(["nickname", "leaveEnd"]);
});
