/** Texts that the specification gives letter by letter (specified.ts) and that typesetting would change. */
export const SPECIFIED_PROSE: readonly string[] = [
  "Система находится на техническом обслуживании. Попробуйте позже.",
  "Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.",
  "Ошибка при регистрации: токен не получен",
  "Имя может содержать только английские буквы, цифры, дефис и подчеркивание без пробелов",
  "У вас истекла подписка. Для создания конфигурации необходима активная подписка.",
  "Отсканируйте QR код в приложении WireGuard",
  "Оплата может быть подтверждена только за текущий месяц.",
];
/** May match the end of a longer word, so the preceding letter decides. Lookbehind would break the page on older iPhones. */
const SHORT_WORD = /\p{L}{1,2} /gu;
const BEFORE_A_WORD = /[\s\u00a0(«]/;

/** Labels are short enough not to wrap, and tests and scripts look buttons up by their exact text. */
const PROSE_FROM = 40;

/** Puts a non-breaking space after one- and two-letter words of prose, so that none ends a line. */
export function typeset(text: string): string {
  if (text.length < PROSE_FROM || SPECIFIED_PROSE.includes(text)) return text;
  return text.replace(SHORT_WORD, (found, at: number) =>
    at === 0 || BEFORE_A_WORD.test(text[at - 1] ?? "") ? `${found.slice(0, -1)}\u00a0` : found,
  );
}

/** The same for every text of a dictionary and for its functions' results. */
export const typesetAll = <T>(texts: T): T => mapTexts(texts, typeset);

function mapTexts<T>(texts: T, change: (text: string) => string): T {
  if (typeof texts === "string") return change(texts) as T;
  if (typeof texts === "function") {
    const speak = texts as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => mapTexts(speak(...args), change)) as T;
  }
  if (Array.isArray(texts)) return texts.map((text) => mapTexts(text, change)) as T;
  if (typeof texts === "object" && texts !== null) {
    return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, mapTexts(value, change)])) as T;
  }
  return texts;
}

/** Texts for a device with an app other than WireGuard's own. App names are not declined. */
export const withApp = <T>(texts: T, app: string): T => mapTexts(texts, (text) => text.replaceAll("WireGuard", app));

/** One part's texts in both languages. A text missing in English does not compile. */
export const bothLanguages = <Words>(ru: Words, en: NoInfer<Words>): Readonly<Record<"ru" | "en", Words>> => ({
  ru: typesetAll(ru),
  en,
});
