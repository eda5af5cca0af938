import { expect, test } from "vitest";
import { joiningWait } from "./joining-limits.ts";
import { DAY_MS } from "./moment.ts";

test.each([
  ["nothing has been counted", undefined, 0],
  ["there is room for one more", { times: 2, since: 0 }, 0],
  ["the limit is reached", { times: 3, since: 0 }, DAY_MS - 1000],
  ["the limit was lowered since", { times: 9, since: 500 }, DAY_MS - 500],
  ["the day is over", { times: 3, since: 1000 - DAY_MS }, 0],
])("a full limit reopens a day after the first use it counted: %s", (_, count, wait) => {
  expect(joiningWait(count, 3, 1000)).toBe(wait);
});
