import { isStaff, type Role } from "./roles.ts";

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 32;
/** Latin letters, digits, `_` and `-`. Whole usernames are unique without regard to case. */
const USERNAME_PATTERN = /^[A-Za-z0-9_-]{3,32}$/;

export const PASSWORD_MIN = 6;
export const PASSWORD_MIN_STAFF = 10;
export const PASSWORD_MAX = 128;

export const DISPLAY_NAME_MAX = 64;

export type UsernameProblem = "username.length" | "username.characters";
export type PasswordProblem = "password.too_short" | "password.too_long";
export type DisplayNameProblem = "display_name.empty" | "display_name.too_long" | "display_name.characters";

/** Why this can't be a username, or null (decisions, section 2). */
export function whyNotUsername(username: string): UsernameProblem | null {
  if (username.length < USERNAME_MIN || username.length > USERNAME_MAX) return "username.length";
  return USERNAME_PATTERN.test(username) ? null : "username.characters";
}

/**
 * Reserved words: paths that take a username have fixed calls under these names, so a member with such a name could not be looked
 * up.
 */
const RESERVED_USERNAMES: ReadonlySet<string> = new Set(["counts"]);

/** Well-formed, but reserved: no member can have this username. */
export const isReservedUsername = (username: string): boolean => RESERVED_USERNAMES.has(username.toLowerCase());

export function passwordMinFor(role: Role): number {
  return isStaff(role) ? PASSWORD_MIN_STAFF : PASSWORD_MIN;
}

/** Why this can't be the password of someone in this role, or null. The list of common passwords is on the server. */
export function whyNotPassword(password: string, role: Role): PasswordProblem | null {
  const length = characters(password);
  if (length < passwordMinFor(role)) return "password.too_short";
  return length > PASSWORD_MAX ? "password.too_long" : null;
}

/**
 * Why this can't be a display name, or null: 1-64 characters, something visible, nothing that changes the text's direction or
 * lines.
 */
export function whyNotDisplayName(name: string): DisplayNameProblem | null {
  if (!VISIBLE.test(name)) return "display_name.empty";
  if (characters(name) > DISPLAY_NAME_MAX) return "display_name.too_long";
  return STEERING.test(name) ? "display_name.characters" : null;
}

const VISIBLE = /[^\p{C}\p{Z}]/u;
// Control characters, lone surrogates, line and paragraph separators, and direction marks: with those a member's name could
// change how a staff list reads.
const STEERING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Counts as a person would: an emoji is one character, not two. */
function characters(text: string): number {
  return [...text].length;
}
