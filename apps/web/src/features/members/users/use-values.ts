import { clubNow } from "../../../lib/club-clock.ts";
import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import type { ListedMember, MemberChange } from "./queries.ts";
import { limitText, subscriptionText } from "./standing.tsx";
import { useUsersWords } from "./words.ts";

type Field = keyof NonNullable<MemberChange["expected"]>;

/** A field's name and what it holds, in words. */
export function useValues() {
  const words = useUsersWords();
  const { edit } = words;
  const { language } = useSpeech();
  return (field: Field, member: ListedMember): { field: string; value: string } => {
    const yesOrNo = (value: boolean) => (value ? edit.yes : edit.no);
    switch (field) {
      case "role":
        return { field: edit.role, value: words.roles[member.pendingRole ?? member.role] };
      case "isVip":
        return { field: words.list.vip, value: yesOrNo(member.isVip) };
      case "isActive":
        return { field: edit.state, value: member.isActive ? edit.active : words.states.blocked.toLowerCase() };
      case "displayName":
        return { field: edit.displayName, value: member.displayName };
      case "vpnConfigLimit":
        return { field: edit.limit, value: limitText(member.vpnConfigLimit, words) };
      case "quotaBytes":
        return {
          field: edit.quota,
          value: member.quotaBytes === null ? words.quota.any : sizeText(member.quotaBytes, language),
        };
      case "quotaAtEnd":
        return { field: edit.quotaAtEnd, value: words.quota.choices[member.quotaAtEnd].toLowerCase() };
      case "isUnlimited":
        return { field: edit.unlimited, value: yesOrNo(member.isUnlimited) };
      case "subscriptionEnd":
        return { field: edit.subscription, value: subscriptionText(member, words.subscriptions, clubNow()) };
    }
  };
}
