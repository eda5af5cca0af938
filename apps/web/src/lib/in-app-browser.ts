import { base } from "./base.ts";
import type { Language } from "./i18n/language.ts";
import { sharesFiles } from "./open-file.ts";
import { post } from "./telegram-bridge.ts";

interface Frames {
  TelegramWebview?: unknown;
  TelegramWebviewProxy?: unknown;
}

/** Messengers that name themselves. Telegram only leaves its own objects in the page. */
const NAMED = /\b(?:FBA[NV]|Instagram|VKAndroidApp|VKClient|OKApp|Line)\//;

const WORDS: Readonly<Record<Language, string>> = {
  ru: "Это браузер внутри приложения, он не сохраняет файлы. Откройте страницу в обычном: меню ⋮ → «Открыть в браузере».",
  en: "This is a browser inside an app, which saves no files. Open the page in an ordinary one: menu ⋮ → “Open in browser”.",
};

/** In the Mini App, also in Telegram's web version, whose frames save nothing. Devices' files have a way of their own. */
const IN_TELEGRAM: Readonly<Record<Language, string>> = {
  ru: "Telegram не сохраняет такие файлы. Эта страница открыта в браузере: сохраните файл там.",
  en: "Telegram does not save such files. This page is open in the browser: save the file there.",
};

/** The page is open in a messenger's own browser, which loses downloads. */
function isInApp(): boolean {
  const { TelegramWebview, TelegramWebviewProxy } = window as Frames;
  return TelegramWebview !== undefined || TelegramWebviewProxy !== undefined || NAMED.test(navigator.userAgent);
}

/** What to tell a person whose browser cannot save files; null if it can. `shares`: the file may also go to an app. */
export const whyNotSave = (language: Language, shares = false): string | null =>
  (base || isInApp()) && !(shares && sharesFiles()) ? (base ? IN_TELEGRAM : WORDS)[language] : null;

/** Opens this page in the phone's browser, if it is in Telegram: nobody else's page can do that. */
export function openInBrowser(): void {
  const { origin, pathname, search } = location;
  if (base) post("web_app_open_link", { url: origin + pathname.slice(base.length) + search });
}
