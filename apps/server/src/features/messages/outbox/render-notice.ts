import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import type { Language } from "@krug/contract/refusals";
import { moneyText } from "@krug/domain/money-text";
import { noticeText } from "@krug/domain/notices";
import { formatBytes } from "@krug/domain/traffic";

export interface RenderedNotice {
  title: string;
  more: string;
}

/** A notice in the words of the inbox. `today`: the club's day, YYYY-MM-DD. */
export function renderNotice(notice: NoticeAnswer, language: Language, today: string): RenderedNotice {
  const day = (iso: string) =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : "ru", {
      day: "numeric",
      month: "long",
      ...(iso.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" }),
      timeZone: "UTC",
    }).format(new Date(iso.slice(0, 10)));
  return noticeText(notice, language, {
    day,
    moment: (iso) => `${day(iso)}, ${iso.slice(11, 16)}`,
    money: (amount, currency) => moneyText(amount, currency, language),
    size: (bytes) => formatBytes(bytes, language === "ru" ? "," : "."),
  });
}
