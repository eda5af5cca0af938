import { expect, test } from "vitest";
import { changeOf } from "./change-of.ts";

test("only what differs is sent, with what was seen of it; lists have no order", () => {
  const seen = { name: "Почта", limit: null as number | null, ips: ["b", "a"] };
  expect(changeOf(seen, { ...seen, ips: ["a", "b"] })).toEqual({});
  expect(changeOf<typeof seen>(seen, { name: "Почта", limit: 3, ips: ["a"] })).toEqual({
    limit: 3,
    ips: ["a"],
    expected: { limit: null, ips: ["b", "a"] },
  });
});
