import { INVITE_ALPHABET, INVITE_CODE_LENGTH } from "./invite-rules.ts";
import { latinCapital } from "./look-alikes.ts";

/** Longer text was not copied for its code. */
const MOST_SIGNS = 10_000;
/** Invisible characters. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const WORD = /[\p{L}\p{N}]+(?:[-\u2013\u2014][\p{L}\p{N}]+)*/gu;
/** In an invitation link, also where another program has percent-encoded it (%23, %3D). */
const IN_LINK = /code(?:=|%3D)([A-Z0-9-]{6,8})/i;
const NAMES_A_CODE = /^(?:codes?|код\p{L}{0,3})$/iu;
/** 'Код приглашения в клуб: K7MPHW' */
const NAMED_WITHIN_WORDS = 4;

/** The code in Latin capitals; null if this is not a code. */
function codeOf(written: string): string | null {
  const signs = [...written.replace(/[\s\u2013\u2014-]/g, "")].map(latinCapital);
  return signs.length === INVITE_CODE_LENGTH && signs.every((sign) => INVITE_ALPHABET.includes(sign))
    ? signs.join("")
    : null;
}

/**
 * The code in copied text: the bare code, a link, or a message in either language, any case and alphabet; null if there is none.
 * A six-letter word may look like one, so within a sentence a code must be announced, have digits, or be in capitals. Of two
 * candidates the one with more of these marks wins, then the later one.
 */
export function codeInText(copied: string): string | null {
  const text = copied.slice(0, MOST_SIGNS).normalize("NFKC").replace(UNSEEN, "");
  const plain = codeOf(text.slice(0, 64)) ?? codeOf(IN_LINK.exec(text)?.[1] ?? "");
  if (plain !== null) return plain;
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }));
  let best = { code: null as string | null, marks: 0 };
  let namedFor = 0;
  for (const [place, { word, index }] of words.entries()) {
    const next = words[place + 1];
    // Three and three make one code, whatever separates them.
    const isHalf = word.length === 3 && next?.word.length === 3 && next.index === index + 4;
    const written = isHalf ? `${word}${next.word}` : word;
    const code = codeOf(written);
    const isInCapitals = written === written.toUpperCase();
    const marks = (namedFor > 0 ? 4 : 0) + (/\d/.test(written) ? 2 : 0) + (isInCapitals ? 1 : 0);
    // 'how are' is not a code.
    if (code !== null && marks >= Math.max(best.marks, isHalf ? 3 : 1)) best = { code, marks };
    namedFor = NAMES_A_CODE.test(word) ? NAMED_WITHIN_WORDS : namedFor - 1;
  }
  return best.code;
}
