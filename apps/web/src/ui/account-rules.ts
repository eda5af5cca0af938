import { PASSWORD_MAX, PASSWORD_MIN, whyNotUsername } from "@krug/domain/account-rules";
import type { Text } from "../lib/i18n/ru.ts";

/** The browser checks the club's rules as a hint. The server decides. */
export function usernameError(username: string, text: Text): string | null {
  return whyNotUsername(username) ? text.account.usernameWrong : null;
}

export function passwordError(password: string, text: Text, min: number = PASSWORD_MIN): string | null {
  const length = [...password].length;
  if (length < min) return min === PASSWORD_MIN ? text.account.short : text.account.shortFor(min);
  return length > PASSWORD_MAX ? text.account.tooLong : null;
}
