/** A part of a text by staff: plain text, a clickable link, or a number worth copying. */
export type DetailsPart =
  | { kind: "words"; text: string }
  | { kind: "link"; text: string }
  | { kind: "number"; text: string; copied: string };

/** Only https: anything else stays text. A number has ten digits or more, as cards, phones and accounts do. */
const FOUND = /(?<link>https:\/\/[^\s<>"«»]+)|(?<number>\+?\d(?:[\s\u00a0()-]{0,2}\d){9,})(?![\p{L}\d])/gu;
const IN_A_WORD = /[\p{L}\d]$/u;
/** A sentence's closing punctuation does not belong to the link before it. */
const IN_TAIL = ".,;:!?)]";
function withoutTail(link: string): string {
  let end = link.length;
  while (end > 0 && IN_TAIL.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}

/** Splits staff's payment instructions. The joined parts are the text. */
export function detailsParts(text: string): DetailsPart[] {
  const parts: DetailsPart[] = [];
  let read = 0;
  const take = (kind: "link" | "number", at: number, found: string) => {
    if (at > read) parts.push({ kind: "words", text: text.slice(read, at) });
    parts.push(kind === "link" ? { kind, text: found } : { kind, text: found, copied: found.replace(/[^\d+]/g, "") });
    read = at + found.length;
  };
  for (const { index, groups = {} } of text.matchAll(FOUND)) {
    const link = groups.link && withoutTail(groups.link);
    if (link !== undefined && isAddress(link)) take("link", index, link);
    else if (groups.number !== undefined && !IN_A_WORD.test(text.slice(0, index))) take("number", index, groups.number);
  }
  if (read < text.length) parts.push({ kind: "words", text: text.slice(read) });
  return parts;
}

const isAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === "https:";
