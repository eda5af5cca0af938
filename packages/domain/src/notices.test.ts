import { describe, expect, test } from "vitest";
import { STAFF_GROUPS } from "./notices/groups.ts";
import { sampleParams } from "./notices/sample.ts";
import { NAMING_KINDS, NOTICE_KINDS, noticeText, paramsThatAre, type Told, toneOf, traitsOf } from "./notices.ts";

const speech = { day: String, moment: () => "3 октября, 14:20", size: String, money: String };
const said = (told: Told) => noticeText(told, "ru", speech).more;
const until = "2026-10-03T14:20:00+03:00";

test.each([
  [false, /не дольше\.$/],
  [undefined, /не дольше\.$/],
  [true, /не дольше\. Для нового файла нужно приложение AmneziaWG или AmneziaVPN\.$/],
])("a device that moved names its new app if it needs one (%s)", (needsAmneziawg, expected) => {
  expect(said({ kind: "config_moved", params: { name: "laptop", until, needsAmneziawg } })).toMatch(expected);
  expect(said({ kind: "configs_moved", params: { names: ["laptop"], until, needsAmneziawg } })).toMatch(expected);
});

test("exactly these kinds name another member", () => {
  expect(NAMING_KINDS.toSorted()).toEqual([
    "friend_connected",
    "member_joined",
    "member_wrote",
    "payment_claimed",
    "referral_ends",
    "ticket_opened",
  ]);
});

describe.each(NOTICE_KINDS)("%s", (kind) => {
  const told = { kind, params: sampleParams(kind) } as Told;
  const traits = traitsOf(kind);

  test("has words in both languages and a ring", () => {
    for (const language of ["ru", "en"] as const) {
      const { title, more } = noticeText(told, language, speech);
      expect([title, more]).not.toContain("");
      expect(`${title} ${more}`).not.toMatch(/undefined|\[object/);
    }
    expect(["done", "idle", "wait", "warn", "bad"]).toContain(toneOf(told));
  });

  test("shows no names or messages on a locked screen if it is for staff or somebody wrote it", () => {
    const { person, written } = { person: paramsThatAre(kind, "person"), written: paramsThatAre(kind, "written") };
    const isStaffs = traits.audience !== "member";
    if (written.length > 0 || (isStaffs && person.length > 0)) expect(traits.locked).toBeDefined();
    for (const words of Object.values(traits.locked ?? {}))
      for (const name of [...person, ...written])
        expect(words.join(" ")).not.toContain(String(told.params[name as never]));
  });

  test("is in a staff group only if only staff get it", () => {
    if (traits.group !== null) expect(STAFF_GROUPS.includes(traits.group)).toBe(traits.audience !== "member");
  });
});
