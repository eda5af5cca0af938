import type { MemberChange } from "./queries.ts";
import { useUsersWords } from "./words.ts";

/** Each change has its own sentence for its failure (specification, operator's side 8); several at once have one of ours. */
export function useFailure() {
  const { failures } = useUsersWords();
  return (change: MemberChange): string => {
    const said = new Set<string>();
    if (change.role !== undefined) said.add(failures.role);
    if (change.isVip !== undefined) said.add(failures.vip);
    if (change.isActive !== undefined) said.add(failures.status);
    if (change.displayName !== undefined) said.add(failures.name);
    if (change.vpnConfigLimit !== undefined) said.add(failures.limit);
    if (change.quotaBytes !== undefined || change.quotaAtEnd !== undefined) said.add(failures.quota);
    if (change.subscriptionEnd !== undefined || change.isUnlimited !== undefined) said.add(failures.subscription);
    return said.size === 1 ? ([...said][0] ?? failures.several) : failures.several;
  };
}
