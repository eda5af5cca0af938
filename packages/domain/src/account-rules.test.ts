import { describe, expect, test } from "vitest";
import { whyNotDisplayName, whyNotPassword, whyNotUsername } from "./account-rules.ts";
import type { Role } from "./roles.ts";

describe("a username", () => {
  test.each(["bob", "Anna_K-92", "---", "a".repeat(32)])("may be %s", (username) => {
    expect(whyNotUsername(username)).toBeNull();
  });

  test.each([
    ["", "username.length"],
    ["ab", "username.length"],
    ["a".repeat(33), "username.length"],
    ["a1b2c3d4-e5f6-4a1b-8c2d-3e4f5a6b7c8d", "username.length"],
    ["bob smith", "username.characters"],
    ["боб", "username.characters"],
    ["bоb", "username.characters"],
    ["bob\n", "username.characters"],
    ["bob'--", "username.characters"],
    ["bob@example", "username.characters"],
    ["../bob", "username.characters"],
  ])("may not be %j", (username, why) => {
    expect(whyNotUsername(username)).toBe(why);
  });
});

describe("a password", () => {
  test.each<[string, Role, string, string | null]>([
    ["of 6 does for a member", "user", "abcdef", null],
    ["of 5 does not", "user", "abcde", "password.too_short"],
    ["of 9 does not for a moderator", "moderator", "abcdefghi", "password.too_short"],
    ["of 9 does not for an admin", "admin", "abcdefghi", "password.too_short"],
    ["of 10 does for staff", "admin", "abcdefghij", null],
    ["of 128 does for everyone", "user", "x".repeat(128), null],
    ["of 129 is too long for everyone", "admin", "x".repeat(129), "password.too_long"],
    ["may be of any letters, blanks and signs", "user", "мой пароль 🔑", null],
    ["of three emoji is three long, not six", "user", "🔑🔑🔑", "password.too_short"],
  ])("%s", (_, role, password, why) => {
    expect(whyNotPassword(password, role)).toBe(why);
  });
});

describe("a display name", () => {
  test.each([["Анна К."], ["X"], ["👩‍💻 Анна"], ["я".repeat(64)], ["🔑".repeat(64)], ["<b>O'Brien & Co</b>"]])(
    "may be %s",
    (name) => {
      expect(whyNotDisplayName(name)).toBeNull();
    },
  );

  test.each([
    ["nothing", "", "display_name.empty"],
    ["blanks", " \u00a0\t", "display_name.empty"],
    ["invisible characters", "\u200b\u200d", "display_name.empty"],
    ["65 characters", "я".repeat(65), "display_name.too_long"],
    ["two lines", "Анна\nК", "display_name.characters"],
    ["a null byte", "Анна\0", "display_name.characters"],
    ["two lines by Unicode", "Анна\u2028К", "display_name.characters"],
    ["half an emoji", "Анна\ud83d", "display_name.characters"],
    ["a mark that turns the direction", "Анна\u202egnp.exe", "display_name.characters"],
  ])("may not be %s", (_, name, why) => {
    expect(whyNotDisplayName(name)).toBe(why);
  });
});
