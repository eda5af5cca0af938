/** Answer templates that a club may keep. */
export const MOST_ANSWER_TEMPLATES = 100;
export const MOST_ANSWER_TITLE_LETTERS = 60;
/** Half of what a message may have: room is left for what is written beside it. */
export const MOST_ANSWER_LETTERS = 2_000;

/** What the panel knows of the member who is answered. */
export interface AnswerFacts {
  name: string;
  username: string;
}

/** What stands in a template for a fact, as each language writes it. Only facts that every member has. */
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

/** The first word in braces that stands for nothing the panel knows, or null. */
export function unknownPlaceholder(text: string): string | null {
  for (const [written, word = ""] of text.matchAll(IN_BRACES)) if (factOf(word) === undefined) return written;
  return null;
}

/** The text with the member's facts in place of placeholders. A name that looks like a placeholder stays a name. */
export const filledIn = (text: string, facts: AnswerFacts): string =>
  text.replace(IN_BRACES, (written, word: string) => {
    const fact = factOf(word);
    return fact === undefined ? written : facts[fact];
  });
