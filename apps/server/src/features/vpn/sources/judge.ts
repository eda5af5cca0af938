import { createHash } from "node:crypto";
import { changeBetween, isLargeChange } from "@krug/wireguard/network-change";

/** `same`: nothing to do. `refused`: an admin has refused exactly this. `wait`: an admin decides. */
export type Verdict = "same" | "take" | "wait" | "refused";

interface InForce {
  networks: readonly string[];
  /** An earlier version was brought back. */
  held: boolean;
  /** A name's addresses come and go; a list's seldom. */
  isDomain: boolean;
  /** The mark of the list that was refused last. */
  refused: string | null;
}

/** What to do with a source's new list. */
export function judge({ networks, held, isDomain, refused }: InForce, found: readonly string[]): Verdict {
  const mark = markOf(found);
  if (mark === markOf(networks)) return "same";
  if (mark === refused) return "refused";
  if (isDomain && !held) return "take";
  return held || isLargeChange(networks, changeBetween(networks, found)) ? "wait" : "take";
}

/** Tells one list from another. */
export const markOf = (networks: readonly string[]): string =>
  createHash("sha256").update(networks.join()).digest("base64url");
