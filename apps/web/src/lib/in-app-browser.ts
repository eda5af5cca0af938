import type { Language } from "./i18n/language.ts";

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

/** The page is open in a messenger's own browser, which loses downloads. */
function isInApp(): boolean {
  const { TelegramWebview, TelegramWebviewProxy } = window as Frames;
  return TelegramWebview !== undefined || TelegramWebviewProxy !== undefined || NAMED.test(navigator.userAgent);
}

/** Whether this phone's apps accept files from the page. */
const sharesFiles = (): boolean =>
  navigator.canShare?.({ files: [new File(["."], "a.conf", { type: "text/plain" })] }) === true;

/** What to tell a person whose browser cannot save files; null if it can. `shares`: the file may also go to an app. */
export const whyNotSave = (language: Language, shares = false): string | null =>
  isInApp() && !(shares && sharesFiles()) ? WORDS[language] : null;
