import type { NoticeAnswer } from "@krug/contract/inbox";
import type { Language } from "@krug/contract/refusals";
import { moneyText } from "@krug/domain/money-text";
import { noticeText } from "@krug/domain/notice-text";
import { noticeWords } from "@krug/domain/notice-words";
import { formatBytes } from "@krug/domain/traffic";

/** A message holds 4,096 characters (Bot API, sendMessage). */
const MOST_CHARACTERS = 4_000;

/** A notice as the bot sends it. `today`: the club's day, YYYY-MM-DD. */
export function noticeMessage(notice: NoticeAnswer, language: Language, today: string): string {
  const day = (iso: string) =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : "ru", {
      day: "numeric",
      month: "long",
      ...(iso.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" }),
      timeZone: "UTC",
    }).format(new Date(iso.slice(0, 10)));
  const { title, more } = noticeText(notice, noticeWords[language], {
    day,
    moment: (iso) => `${day(iso)}, ${iso.slice(11, 16)}`,
    money: (amount, currency) => moneyText(amount, currency, language),
    size: (bytes) => formatBytes(bytes, language === "ru" ? "," : "."),
  });
  const text = `${title}\n\n${more}`;
  return text.length > MOST_CHARACTERS ? `${[...text].slice(0, MOST_CHARACTERS - 1).join("")}…` : text;
}
