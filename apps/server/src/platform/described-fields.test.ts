import { answered, changeable, expectedOf } from "@krug/contract/described";
import { firstColumns, goneColumns, labelsOf, textNames } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { expect, test } from "vitest";
import { z } from "zod";
import { changedMeanwhile } from "./changed-meanwhile.ts";
import { columnsOf, seenOf } from "./described-fields.ts";

/* A text that staff edit and a subscription's second day, as they would be added to a member. */
const FIELDS = {
  ...MEMBER_FIELDS,
  nickname: { kind: "text", column: "nick_name", edited: true, first: "", ru: "прозвище", en: "nickname" },
  leaveEnd: { kind: "day", column: "leave_end", nullable: true, edited: true, first: null, ru: "отпуск", en: "leave" },
} as const;
const Change = z.strictObject({ ...changeable(FIELDS), expected: expectedOf(FIELDS) });
const end = Date.UTC(2027, 0, 12, 20, 59, 59);
const row = {
  ...firstColumns(FIELDS),
  username: "boris",
  display_name: "Борис",
  created_at: 0,
  nick_name: "Боря",
  leave_end: end,
};

test("a new text is begun, taken, answered, exported, named and erased by its description alone", () => {
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
  ["null where there must be something", { nickname: null }],
])("%s is refused", (_, wish) => expect(Change.safeParse(wish).success).toBe(false));

test("a change of what somebody else changed meanwhile is found, however a moment is written", () => {
  const wish = { nickname: "Борька", leaveEnd: "2027-02-01" };
  const changed = (expected: object) =>
    changedMeanwhile(seenOf(FIELDS, row), wish, Change.parse({ expected }).expected);
  expect(changed({ nickname: "Боря", leaveEnd: "2027-01-12T23:59:59+03:00" })).toEqual([]);
  expect(changed({ nickname: "", leaveEnd: null, isVip: true })).toEqual(["nickname", "leaveEnd"]);
});
