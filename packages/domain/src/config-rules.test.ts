import { describe, expect, test } from "vitest";
import {
  isPeerWanted,
  moveAt,
  type NewConfigStanding,
  NO_LIMIT,
  whyNoNewConfig,
  whyNotConfigName,
} from "./config-rules.ts";
import { DAY_MS } from "./moment.ts";

const now = new Date("2025-03-14T12:00:00Z");

describe("a config's peer", () => {
  const standing = {
    isOwnerEntitled: true,
    isDeleted: false,
    isBlocked: false,
    isDormant: false,
    isInterfaceActive: true,
  };

  test("is wanted while its owner is entitled", () => {
    expect(isPeerWanted(standing)).toBe(true);
  });

  test.each([
    { isOwnerEntitled: false },
    { isDeleted: true },
    { isBlocked: true },
    { isDormant: true },
    { isInterfaceActive: false },
  ])("is not wanted once %j", (change) => {
    expect(isPeerWanted({ ...standing, ...change })).toBe(false);
  });
});

describe("a config's name", () => {
  test.each(["a", "Phone_1", "my-laptop", "-_-", "abcdefghijklmno", "console", "com10", "com", "nul-1"])(
    "may be %s",
    (name) => {
      expect(whyNotConfigName(name)).toBeNull();
    },
  );

  test.each([
    ["", "config.name_length"],
    ["abcdefghijklmnop", "config.name_length"],
    ["my phone", "config.name_characters"],
    ["телефон", "config.name_characters"],
    ["a.conf", "config.name_characters"],
    ["../../etc/x", "config.name_characters"],
    ["phone\n", "config.name_characters"],
    ["a;reboot", "config.name_characters"],
    ["con", "config.name_reserved"],
    ["NUL", "config.name_reserved"],
    ["Com1", "config.name_reserved"],
    ["lpt9", "config.name_reserved"],
    ["aux", "config.name_reserved"],
    ["prn", "config.name_reserved"],
  ])("may not be %j", (name, why) => {
    expect(whyNotConfigName(name)).toBe(why);
  });
});

describe("a member adds a config", () => {
  const fine: NewConfigStanding = {
    isActive: true,
    isUnlimited: false,
    subscriptionEnd: now.getTime() + DAY_MS,
    graceHours: 0,
    referralEarned: false,
    quotaUsedUpUntil: null,
    telegramRequired: true,
    telegramLinked: true,
    configLimit: 3,
    configCount: 2,
    configsBlocked: false,
  };
  const unlinked = { telegramLinked: false };
  const blocked = { isActive: false };
  const expired = { subscriptionEnd: now.getTime() - DAY_MS };
  const full = { configCount: 3 };

  test.each<[string, Partial<NewConfigStanding>, ReturnType<typeof whyNoNewConfig>]>([
    ["freely while the limit allows one more", {}, null],
    [
      "not without Telegram, reported before anything else",
      { ...unlinked, ...blocked, ...expired, ...full },
      "telegram.not_linked",
    ],
    ["not while blocked, reported before the subscription", { ...blocked, ...expired, ...full }, "member.blocked"],
    [
      "not while their configs are blocked, reported before the subscription",
      { configsBlocked: true, ...expired, ...full },
      "config.blocked",
    ],
    ["not without a subscription, reported before the limit", { ...expired, ...full }, "subscription.inactive"],
    ["not while the month's traffic is used up", { quotaUsedUpUntil: now.getTime() + 1 }, "quota.used_up"],
    ["not beyond the limit", full, "config.limit_reached"],
    ["not beyond a limit lowered below the number of existing configs", { configLimit: 1 }, "config.limit_reached"],
    ["not with a limit of 0", { configLimit: 0, configCount: 0 }, "config.limit_reached"],
    ["without end when there is no limit", { configLimit: NO_LIMIT, configCount: 10_000 }, null],
    ["without Telegram if the club does not require it", { ...unlinked, telegramRequired: false }, null],
    [
      "without Telegram for the first device, which may be needed to reach Telegram",
      { ...unlinked, configCount: 0 },
      null,
    ],
    ["with an unlimited account and no date", { isUnlimited: true, subscriptionEnd: null }, null],
    ["by referral", { ...expired, referralEarned: true }, null],
  ])("%s", (_, standing, why) => {
    expect(whyNoNewConfig({ ...fine, ...standing }, now)).toBe(why);
  });
});

describe("a device that moves", () => {
  const at = now.getTime();

  test.each([
    ["may use the place it leaves for 24 hours", null, true, { until: at + DAY_MS, stays: true }],
    ["leaves nothing that a file could name if none was given out", null, false, { until: null, stays: false }],
    [
      "again gives up the place that it has no file for, and the first move's time continues",
      at + 5,
      false,
      { until: at + 5, stays: false },
    ],
    [
      "again may use the place it has a file of, for as long as at first",
      at + 5,
      true,
      { until: at + DAY_MS, stays: true },
    ],
    ["again has no less time than before", at + 2 * DAY_MS, true, { until: at + 2 * DAY_MS, stays: true }],
  ])("%s", (_, movesUntil, isFileGivenOut, expected) => {
    expect(moveAt({ movesUntil, isFileGivenOut }, at)).toEqual(expected);
  });
});
