import type { StatementEntry } from "./bank-statement.ts";
import { nameKey } from "./name-search.ts";

/** Somebody who says that they have paid. */
export interface Claimed {
  id: string;
  displayName: string;
  username: string;
  /** Hundredths; null if nothing was agreed. */
  hundredths: number | null;
  currency: string;
}

export interface StatementMatch {
  /** By claim, the one entry that has its sum and its name. */
  matched: ReadonlyMap<string, StatementEntry>;
  /** Entries that several claims fit equally well: a person chooses. */
  unclear: readonly { entry: StatementEntry; ids: readonly string[] }[];
  /** Entries that fit nobody's claim. `sameName`: whose claim has the name best, but another sum or surname, or has its entry already. */
  left: readonly { entry: StatementEntry; sameName: readonly string[] }[];
}

/**
 * Finds whose payments a bank's entries are, by sum and name together. It only offers: nobody is confirmed by it, and where more
 * than one person fits, it does not choose.
 */
export function matchStatement(entries: readonly StatementEntry[], claims: readonly Claimed[]): StatementMatch {
  const matched = new Map<string, StatementEntry>();
  const unclear: { entry: StatementEntry; ids: string[] }[] = [];
  const left: { entry: StatementEntry; sameName: string[] }[] = [];
  const people = claims.map(asPerson);
  for (const entry of entries) {
    const words = wordsOf(entry.text);
    const initials = initialsIn(entry.text);
    const named = people
      .map((person) => ({ ...person, likeness: likenessOf(person, words) }))
      .filter(({ likeness }) => likeness > 0);
    // If a name fits better whose claim has another sum, the payment is theirs, and nobody's with half of the name.
    const alike = likest(named);
    const best = idsOf(alike.filter((one) => hasSum(entry, one.claim) && !isAnother(one, words, initials)));
    const [only] = best;
    if (best.length > 1) unclear.push({ entry, ids: best });
    else if (only === undefined || matched.has(only)) left.push({ entry, sameName: idsOf(alike) });
    else matched.set(only, entry);
  }
  return { matched, unclear, left };
}

const hasSum = ({ sums, currency }: StatementEntry, claim: Claimed) =>
  claim.hundredths !== null && sums.includes(claim.hundredths) && (currency === null || currency === claim.currency);

const LOGIN = 8;
const WORD = 4;
const INFLECTED = 3;
const INITIAL = 1;
/** Shorter words are initials and prepositions. */
const SHORTEST = 3;

const wordsOf = (text: string) =>
  nameKey(text)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);

interface Person {
  claim: Claimed;
  login: string;
  names: readonly string[];
}

const asPerson = (claim: Claimed): Person => ({
  claim,
  login: nameKey(claim.username),
  names: wordsOf(claim.displayName),
});

function likest<Named extends { likeness: number }>(some: readonly Named[]): Named[] {
  const most = Math.max(0, ...some.map(({ likeness }) => likeness));
  return some.filter(({ likeness }) => likeness === most);
}

const idsOf = (some: readonly Person[]) => some.map(({ claim }) => claim.id);

const hasLogin = ({ login }: Person, words: readonly string[]) => login.length >= SHORTEST && words.includes(login);

/** Initials as banks write surnames: 'Павел К.'. */
const initialsIn = (text: string) =>
  [...text.matchAll(/(?:^|[^\p{L}])(\p{Lu})\./gu)].map(([, sign = ""]) => nameKey(sign));

/** The entry has a surname's initial, and it is not this person's: a namesake whom nobody here knows. */
function isAnother(person: Person, words: readonly string[], initials: readonly string[]): boolean {
  if (initials.length === 0 || hasLogin(person, words)) return false;
  const rest = person.names.filter((name) => !words.some((word) => word === name || isInflected(word, name)));
  return rest.length > 0 && !rest.some((name) => initials.some((sign) => name.startsWith(sign)));
}

/** How well an entry's words fit a person; 0: not at all. An initial alone is nobody. */
function likenessOf(person: Person, words: readonly string[]): number {
  const byLogin = hasLogin(person, words) ? LOGIN : 0;
  const { names } = person;
  const whole = names.map((name) =>
    name.length < SHORTEST
      ? 0
      : words.includes(name)
        ? WORD
        : words.some((word) => isInflected(word, name))
          ? INFLECTED
          : 0,
  );
  const byName = whole.reduce((sum: number, likeness) => sum + likeness, 0);
  if (byLogin + byName === 0) return 0;
  const initials = words.filter((word) => [...word].length === 1);
  const byInitial = names.filter((name, place) => whole[place] === 0 && initials.some((sign) => name.startsWith(sign)));
  return byLogin + byName + byInitial.length * INITIAL;
}

/** 'от Павла' is from Павел: the same beginning, and at most two letters differ at the end. */
function isInflected(word: string, name: string): boolean {
  const stem = Math.max(SHORTEST, Math.max(word.length, name.length) - 2);
  return Math.abs(word.length - name.length) <= 1 && word.slice(0, stem) === name.slice(0, stem);
}
