/** nft then leaves out what is in sets and maps, and does not ask the kernel for it. */
export const WITHOUT_ELEMENTS = "--terse";

/** One look in so many is complete, which is a quarter of an hour. */
const COMPLETE_EVERY = 15;

/*
 * Most of a large club's table is what is in its sets: 20,000 networks cost nft a quarter of a second of processor to list, all
 * else a twentieth (ADR 213). Whoever takes something away is reported at once (table-watch.ts), so only what somebody added to a
 * set by hand stays until the next complete look.
 */
export function makeBriefLook() {
  let looks = 0;
  let of: { known: string; brief: string } | null = null;
  return {
    /** `known`: how the table was listed when it was loaded; null if that is not known. */
    suffices(known: string | null): known is string {
      looks = known !== null && known === of?.known ? looks + 1 : 0;
      if (known !== null && looks === 0) of = { known, brief: withoutElements(known) };
      // What the machine's resolvers add is wanted each time.
      return known !== null && looks % COMPLETE_EVERY !== 0 && !/^\s*set asked_/m.test(known);
    },
    /** Whether a listing without elements is that of the same table. */
    is: (known: string | null, listed: string | null) => known === of?.known && listed === of?.brief,
  };
}

/** As nft lists a table without what is in its sets and maps. */
function withoutElements(listed: string): string {
  let isInside = false;
  return listed
    .split("\n")
    .filter((line) => {
      const begins = /^\s+elements = \{/.test(line);
      const isOne = begins || isInside;
      isInside = isOne && !line.endsWith("}");
      return !isOne;
    })
    .join("\n");
}
