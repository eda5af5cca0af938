export type Naming = ReturnType<typeof makeNaming>;

/** A statement asked this often is parsed and planned once for each connection: that costs the server more than most of them do. */
const NAMED_FROM = 10;
/** Each connection keeps that many, some 15 KB each. */
const MOST_NAMED = 200;
const MOST_COUNTED = 2_000;
const CAN_BE_NAMED = /^\s*(?:select|insert|update|delete|with)\b/i;
let namings = 0;

/**
 * Names the statements that connections are asked often, so that PostgreSQL keeps them and their plans (ADR 226). Names are never
 * used again in this process.
 */
export function makeNaming() {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let prefix = "";
  const startOver = () => {
    names.clear();
    counts.clear();
    namings += 1;
    prefix = `krug ${namings} `;
  };
  startOver();
  return {
    startOver,
    nameOf(text: string): string | undefined {
      const known = names.get(text);
      if (known !== undefined || names.size >= MOST_NAMED || !CAN_BE_NAMED.test(text)) return known;
      const count = (counts.get(text) ?? 0) + 1;
      if (count < NAMED_FROM) {
        if (counts.size >= MOST_COUNTED) counts.clear();
        counts.set(text, count);
        return undefined;
      }
      counts.delete(text);
      const name = `${prefix}${names.size}`;
      names.set(text, name);
      return name;
    },
  };
}
