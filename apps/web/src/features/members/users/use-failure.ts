import type { MemberChange } from "./queries.ts";
import { useUsersWords } from "./words.ts";

const FAILURES = {
  role: "role",
  isVip: "vip",
  isActive: "status",
  displayName: "name",
  vpnConfigLimit: "limit",
  quotaBytes: "quota",
  quotaAtEnd: "quota",
  quotaSlowMbit: "quota",
  speedMbit: "several",
  subscriptionEnd: "subscription",
  isUnlimited: "subscription",
} as const satisfies Partial<Record<keyof MemberChange, string>>;

/** The specification has a text for the failure of each change (operator's side 8); other and multiple changes have ours. */
export function useFailure() {
  const { failures } = useUsersWords();
  return ({ expected: _, ...change }: MemberChange): string => {
    const said = new Set(Object.keys(change).map((name) => FAILURES[name as keyof typeof FAILURES]));
    const [only = "several"] = said;
    return failures[said.size === 1 ? only : "several"];
  };
}
