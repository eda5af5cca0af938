import { USERNAME_MAX, whyNotUsername } from "@krug/domain/account-rules";

/** As Russian passports write names. */
const LATIN = new Map([
  ..."абвгдеёзийклмнопрстуфыэ".split("").map((letter, at) => [letter, "abvgdeeziiklmnoprstufye"[at] ?? ""] as const),
  ["ж", "zh"],
  ["х", "kh"],
  ["ц", "ts"],
  ["ч", "ch"],
  ["ш", "sh"],
  ["щ", "shch"],
  ["ъ", ""],
  ["ь", ""],
  ["ю", "iu"],
  ["я", "ia"],
] as const);

/** A free username from a device's name; `taken` has usernames in lower case, and gets this one. */
export function suggestedUsername(name: string | null, index: number, taken: Set<string>): string {
  const latin = [...(name ?? "").toLowerCase()].map((letter) => LATIN.get(letter) ?? letter).join("");
  const plain = latin
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .split(/[^a-z0-9_]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, USERNAME_MAX - 3);
  const base = whyNotUsername(plain) === null ? plain : `member-${index + 1}`;
  let username = base;
  for (let n = 2; taken.has(username); n++) username = `${base}-${n}`;
  taken.add(username);
  return username;
}
