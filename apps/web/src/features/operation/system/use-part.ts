import { useCallback } from "react";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";

/** The screen's parts, in their order. The first is what staff look at, the second what they set most often. */
export const PARTS = ["state", "club", "access", "data"] as const;
export type Part = (typeof PARTS)[number];

/** Settings that are not the club's own form. */
const PLACED: Readonly<Record<string, Part>> = {
  maintenance: "state",
  backup: "data",
  blockedCountries: "access",
  exceptions: "access",
  supportContact: "access",
  mirrorUrl: "access",
  telegramRequired: "access",
  telegramStaffActs: "access",
};

/** The part that an address shows. A link to one setting or dialog leads to the part that has it. */
export function partIn({ section, set, add }: AdminSearch): Part {
  const sought = set ?? add;
  if (sought !== undefined) return PLACED[sought] ?? "club";
  return PARTS.find((part) => part === section) ?? "state";
}

/** The shown part, with the address, which keeps naming the part whatever else changes in it. */
export function usePart() {
  const { asked, change } = useListAddress(1);
  const part = partIn(asked);
  const go = useCallback(
    (next: AdminSearch | { add: null } | { set: null }, to = part) =>
      change({ ...next, section: to === "state" ? null : to }),
    [change, part],
  );
  return { asked, part, change: go };
}
