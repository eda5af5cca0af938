import { PASSWORD_MIN_STAFF } from "@krug/domain/account-rules";

/** From a list ordered by how often a password was seen: the few thousand that guessers try first. */
const MOST_COMMON = 10_000;

let list: Promise<ReadonlySet<string>> | undefined;

/** Loaded on first use: most runs of the panel see no new password. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const all = dictionary["passwords-common"];
  // Few common passwords are as long as staff's must be, so all of those are taken.
  return new Set([...all.slice(0, MOST_COMMON), ...all.filter((password) => password.length >= PASSWORD_MIN_STAFF)]);
}

const CYRILLIC_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё";
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";

/** The same keys on a Latin keyboard: «йцукен» is as well known as 'qwerty', and the list has words like 'gfhjkm'. */
const onLatinKeys = (text: string) =>
  [...text].map((letter) => LATIN_KEYS[CYRILLIC_KEYS.indexOf(letter)] ?? letter).join("");

/** Whether guessers try this password first, however its letters are cased (decisions, section 2). */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  const common = await list;
  const lower = password.normalize("NFC").toLowerCase();
  return common.has(lower) || common.has(onLatinKeys(lower));
}
