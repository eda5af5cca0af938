import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "./moment.ts";
import type { Role } from "./roles.ts";
import { isSessionAlive, sessionEndsAt } from "./session-rules.ts";

const now = new Date("2025-03-14T12:00:00Z");
const ago = (ms: number) => now.getTime() - ms;

describe("a session", () => {
  test.each<[string, Role, number, number, boolean]>([
    ["a member's lives while it is used within 30 days", "user", 100 * DAY_MS, 30 * DAY_MS - 1, true],
    ["a member's ends after 30 days unused", "user", 100 * DAY_MS, 30 * DAY_MS, false],
    ["a member's lives up to 180 days", "user", 180 * DAY_MS - 1, 0, true],
    ["a member's ends after 180 days, however used", "user", 180 * DAY_MS, 0, false],
    ["a moderator's lives while it is used within 12 hours", "moderator", 20 * DAY_MS, 12 * HOUR_MS - 1, true],
    ["a moderator's ends after 12 hours unused", "moderator", 20 * DAY_MS, 12 * HOUR_MS, false],
    ["an admin's ends after 12 hours unused", "admin", DAY_MS, 12 * HOUR_MS, false],
    ["an admin's ends after 30 days, however used", "admin", 30 * DAY_MS, 0, false],
  ])("%s", (_, role, age, unused, alive) => {
    const session = { createdAt: ago(age), lastUsedAt: ago(unused) };
    expect(isSessionAlive(session, role, now)).toBe(alive);
    expect(sessionEndsAt(session, role) > now.getTime()).toBe(alive);
  });

  test("near its absolute end is not extended by use", () => {
    expect(sessionEndsAt({ createdAt: 0, lastUsedAt: 179 * DAY_MS }, "user")).toBe(180 * DAY_MS);
    expect(sessionEndsAt({ createdAt: 0, lastUsedAt: DAY_MS }, "user")).toBe(31 * DAY_MS);
  });
});
