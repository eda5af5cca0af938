import type { Language } from "./language.ts";

/** For the few who meet it. */
export const NO_DOWNLOADS: Readonly<Record<Language, string>> = {
  ru: "Это браузер внутри приложения, он не сохраняет файлы. Откройте страницу в обычном: меню ⋮ → «Открыть в браузере».",
  en: "This is a browser inside an app, which saves no files. Open the page in an ordinary one: menu ⋮ → “Open in browser”.",
};
