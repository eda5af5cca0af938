import { createHmac } from "node:crypto";
import { DOUBLE_TOKEN, type TelegramPerson } from "./telegram-double.ts";

interface Wish {
  /** By Telegram's clock, ms since 1970. */
  at: number;
  token?: string;
  /** Further fields, or others' values. */
  fields?: Record<string, string>;
}

/** What Telegram passes to the Mini App that this person opens (Bot API, WebAppInitData). */
export function initDataOf(person: TelegramPerson, { at, token = DOUBLE_TOKEN, fields = {} }: Wish): string {
  const all: Record<string, string> = {
    query_id: "AAHdF6IQAAAAAN0XohDhrOrc",
    user: JSON.stringify({ ...person, last_name: "", is_premium: true }),
    auth_date: String(Math.floor(at / 1_000)),
    signature: "not-looked-at",
    ...fields,
  };
  const signed = Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", secret).update(signed).digest("hex");
  return new URLSearchParams({ ...all, hash }).toString();
}
