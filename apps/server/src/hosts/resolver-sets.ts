import { canonicalAddress } from "@krug/wireguard/addresses";
import { block, elementsOf, type Family, NFT_TABLE } from "./nft-sets.ts";

/*
 * Sets of the firewall's table that the resolver fills (ADR 141). It adds to `asked`. Kernels before 6.12 do not renew an element
 * that is added again, so an element with a timeout could end right after an answer. `asked` has none: the panel moves its elements
 * to `kept` now and then, where they stay for a day, and a new answer adds them to `asked` again.
 */
const KEPT = "1d";
/** A name whose owner invents addresses must not fill the machine's memory. */
const MOST_ADDRESSES = 65_536;
const MOVED_EVERY_MS = 60 * 60_000;

export const answerSets = (key: string, family: Family) => {
  if (!/^[a-z0-9]{1,16}$/.test(key)) throw new RangeError("a service's key is none");
  return { asked: `asked_${key}_v${family}`, kept: `kept_${key}_v${family}` };
};

const isAnswerSet = (name: string) => /^(?:asked|kept)_[a-z0-9]{1,16}_v[46]$/.test(name);

export function answerSetsText(key: string, family: Family): string[] {
  const { asked, kept } = answerSets(key, family);
  const common = [`type ipv${family}_addr`, `size ${MOST_ADDRESSES}`];
  return [...block(`set ${asked}`, common), ...block(`set ${kept}`, [...common, `timeout ${KEPT}`])];
}

/** A table as nft lists it, split into what the panel loaded and the elements of those sets. */
export function apartFromAnswers(listed: string): { text: string; answers: Map<string, string[]> } {
  const answers = new Map<string, string[]>();
  const rest: string[] = [];
  let set = "";
  let isInside = false;
  for (const line of listed.split("\n")) {
    const trimmed = line.trim();
    const head = /^(?:set|chain|map) (\w+) \{$/.exec(trimmed)?.[1];
    if (head !== undefined) set = head;
    isInside ||= isAnswerSet(set) && trimmed.startsWith("elements = {");
    if (!isInside) {
      rest.push(line);
      continue;
    }
    const found = trimmed.split(/[{},]/).flatMap((part) => canonicalAddress(part.trim().split(" ")[0] ?? "") ?? []);
    answers.set(set, [...(answers.get(set) ?? []), ...found]);
    isInside = !trimmed.endsWith("}");
  }
  return { text: rest.join("\n"), answers };
}

/** Loads a table's text over the one that is listed. */
export function loadingOver(listed: string | null, text: string, known: ReadonlyMap<string, string[]>): string {
  const body = `table ${NFT_TABLE} {\n${text}}\n`;
  const removal = listed !== null && text.includes("set asked_") ? removalBut(listed, text) : null;
  if (removal !== null) return removal + body;
  const lost = [...known].flatMap(([set, elements]) =>
    text.includes(`set ${set} {`) && elements.length > 0
      ? [`add element ${NFT_TABLE} ${set.replace(/^asked_/, "kept_")} { ${elements.join(", ")} }\n`]
      : [],
  );
  return `table ${NFT_TABLE}\ndelete table ${NFT_TABLE}\n${body}${lost.join("")}`;
}

/**
 * Removes all of a table except those sets, with what the resolver adds meanwhile; null if there is something that the panel did
 * not make.
 */
function removalBut(listed: string, text: string): string | null {
  const heads = listed.split("\n").flatMap((line) => {
    const [, kind = "", name = ""] = /^\t(\w[\w ]*) (\S+) \{$/.exec(line) ?? [];
    return kind === "" ? [] : [{ kind, name }];
  });
  if (heads.some(({ kind }) => !ORDER.includes(kind))) return null;
  const isKept = ({ name }: { name: string }) => isAnswerSet(name) && text.includes(`set ${name} {`);
  const unwanted = ORDER.flatMap((kind) => heads.filter((head) => head.kind === kind && !isKept(head)));
  return [
    `flush table ${NFT_TABLE}\n`,
    ...unwanted.map(({ kind, name }) => `delete ${kind} ${NFT_TABLE} ${name}\n`),
  ].join("");
}
/** A map's elements name chains. */
const ORDER = ["map", "chain", "set", "counter"];

/** Moves what was asked to what is kept, as nft text; null if it is not time yet. */
export function makeMoving(now: () => number = Date.now) {
  let movedAt = Number.NEGATIVE_INFINITY;
  return (answers: ReadonlyMap<string, string[]>): string | null => {
    const asked = [...answers].filter(([set, elements]) => set.startsWith("asked_") && elements.length > 0);
    if (asked.length === 0 || now() - movedAt < MOVED_EVERY_MS) return null;
    movedAt = now();
    return asked.map(([set, elements]) => movedText(set, elements)).join("");
  };
}

function movedText(asked: string, elements: readonly string[]): string {
  const kept = asked.replace(/^asked_/, "kept_");
  const of = (set: string) => `element ${NFT_TABLE} ${set} ${elementsOf(elements)[0]?.replace("elements = ", "")}\n`;
  // Added first, since only what is there can be deleted; then it begins a day of its own.
  return `add ${of(kept)}delete ${of(kept)}add ${of(kept)}delete ${of(asked)}`;
}
