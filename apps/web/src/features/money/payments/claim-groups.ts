import type { StatementMatch } from "@krug/domain/match-statement";
import type { Claim } from "./staff-queries.ts";

export type GroupName = "all" | "found" | "unclear" | "otherSum" | "missing";

export interface ClaimGroup {
  name: GroupName;
  claims: readonly Claim[];
  /** By claim, the bank's lines that it is here for. */
  lines: ReadonlyMap<string, string>;
}

/** Claims by what a bank's list says of them: those that need a look come first. Without a list, all of them. */
export function groupsOf(claims: readonly Claim[], { matched, unclear, left }: StatementMatch): ClaimGroup[] {
  if (matched.size + unclear.length + left.length === 0) return claims.length ? [groupOf("all", claims)] : [];
  const found = new Map([...matched].map(([id, { text }]) => [id, text]));
  const asked = linesOf(unclear);
  const otherSum = linesOf(left.map(({ entry, sameName }) => ({ entry, ids: sameName })));
  const nameOf = ({ id }: Claim): GroupName =>
    found.has(id) ? "found" : asked.has(id) ? "unclear" : otherSum.has(id) ? "otherSum" : "missing";
  const lines: Partial<Record<GroupName, ReadonlyMap<string, string>>> = { found, otherSum };
  // Namesakes stand next to each other.
  const byName = claims.toSorted((one, other) => one.displayName.localeCompare(other.displayName, "ru"));
  return (["unclear", "otherSum", "missing", "found"] as const).flatMap((name) => {
    const some = byName.filter((claim) => nameOf(claim) === name);
    return some.length === 0 ? [] : [groupOf(name, some, lines[name])];
  });
}

const groupOf = (name: GroupName, claims: readonly Claim[], lines: ReadonlyMap<string, string> = new Map()) => ({
  ...{ name, claims, lines },
});

function linesOf(some: readonly { entry: { text: string }; ids: readonly string[] }[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { entry, ids } of some)
    for (const id of ids) lines.set(id, [...(lines.get(id)?.split("; ") ?? []), entry.text].join("; "));
  return lines;
}
