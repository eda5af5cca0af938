/** Answer templates a club may have. */
export const MOST_ANSWER_TEMPLATES = 100;
export const MOST_ANSWER_TITLE_LETTERS = 60;
/** Half of a message's limit, which leaves room for text around it. */
export const MOST_ANSWER_LETTERS = 2_000;

/** What the panel knows about the member who gets the answer. */
export interface AnswerFacts {
  name: string;
  username: string;
}

/** The placeholder for each fact, in each language. Only facts that every member has. */
const PLACEHOLDERS: Readonly<Record<string, keyof AnswerFacts>> = {
  имя: "name",
  name: "name",
  логин: "username",
  username: "username",
};

/** Words in braces; other braces are text. */
const IN_BRACES = /\{[^\S\n]*(\p{L}[\p{L} ]{0,29}?)[^\S\n]*\}/gu;

const factOf = (word: string): keyof AnswerFacts | undefined => {
  const key = word.toLowerCase();
  return Object.hasOwn(PLACEHOLDERS, key) ? PLACEHOLDERS[key] : undefined;
};

/** The first word in braces that is no known placeholder, or null. */
export function unknownPlaceholder(text: string): string | null {
  for (const [written, word = ""] of text.matchAll(IN_BRACES)) if (factOf(word) === undefined) return written;
  return null;
}

/** The text with the placeholders replaced by the member's facts. A name that looks like a placeholder is not replaced. */
export const filledIn = (text: string, facts: AnswerFacts): string =>
  text.replace(IN_BRACES, (written, word: string) => {
    const fact = factOf(word);
    return fact === undefined ? written : facts[fact];
  });
