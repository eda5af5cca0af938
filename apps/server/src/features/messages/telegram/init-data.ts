import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameText } from "../../../platform/same-text.ts";
import { nameOf, type Person } from "./linking.ts";
import { languageOf } from "./words.ts";

/** What Telegram signed when somebody opened the Mini App. */
export interface Opening {
  person: Person;
  /** When Telegram signed it, by its clock, ms since 1970. */
  signedAt: number;
  /** The same for the same opening, however it is written. */
  signature: string;
}

const User = z.object({
  id: z.int().positive(),
  first_name: z.string().optional(),
  username: z.string().optional(),
  language_code: z.string().optional(),
});
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/**
 * Reads initData that Telegram signed for the bot of this token; null if it did not (Bot API, 'Validating data received via the
 * Mini App'). The signature covers all other fields, sorted and joined by line ends: so none may hold a line end or come twice.
 */
export function readInitData(initData: string, token: string): Opening | null {
  const fields = [...new URLSearchParams(initData)];
  const byName = new Map(fields);
  const signature = byName.get("hash") ?? "";
  if (byName.size !== fields.length || fields.some(([name, value]) => /[\n=]/.test(name) || value.includes("\n")))
    return null;
  const signed = fields
    .filter(([name]) => name !== "hash")
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  if (!isSameText(signature, hmac(hmac("WebAppData", token), signed).toString("hex"))) return null;
  const user = User.safeParse(jsonOf(byName.get("user")));
  const signedAt = Number(byName.get("auth_date") ?? Number.NaN) * 1_000;
  if (!user.success || !Number.isSafeInteger(signedAt)) return null;
  const { id, language_code } = user.data;
  return {
    person: { telegramId: String(id), name: nameOf(user.data), language: languageOf(language_code) },
    signedAt,
    signature,
  };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
