import { expect, test } from "vitest";
import { PASSWORD_MIN } from "./account-rules.ts";
import { DEFAULT_CONFIG_LIMIT, NO_LIMIT } from "./config-rules.ts";
import { INVITE_CODE_LENGTH, OWN_CODE_LIFE_MS, TRIAL_DAYS } from "./invite-rules.ts";
import { HOUR_MS } from "./moment.ts";
import { PHONE_ADDRESS_LIMIT } from "./phone-limit.ts";
import { REFERRAL_FRIENDS } from "./referral.ts";

/** Numbers given by the specification (member's side 9); the tests next to each rule check what they mean. */
test.each([
  ["signs of an invite code", INVITE_CODE_LENGTH, 6],
  ["hours for which an own code is valid", OWN_CODE_LIFE_MS / HOUR_MS, 12],
  ["characters of the shortest password", PASSWORD_MIN, 6],
  ["addresses on a phone", PHONE_ADDRESS_LIMIT, 120],
  ["days of trial", TRIAL_DAYS, 3],
  ["friends for a free subscription", REFERRAL_FRIENDS, 3],
  ["configs of the standard plan", DEFAULT_CONFIG_LIMIT, 3],
  ["how 'no limit' is written", NO_LIMIT, -1],
])("%s", (_, ours, specified) => {
  expect(ours).toBe(specified);
});
