import { clubNow } from "../../../lib/club-clock.ts";
import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import type { ListedMember, MemberChange } from "./queries.ts";
import { useQuotaOfWords } from "./quota-words.ts";
import { limitText, subscriptionText } from "./standing.tsx";
import { useLabels } from "./use-labels.ts";
import { useUsersWords } from "./words.ts";

type Field = keyof NonNullable<MemberChange["expected"]>;

/** A field's name and value, in words. */
export function useValues() {
  const words = useUsersWords();
  const labels = useLabels();
  const { edit } = words;
  const say = useEditWords();
  const quota = useQuotaOfWords();
  const { language } = useSpeech();
  const plain = (value: unknown) => (typeof value === "boolean" ? (value ? say.yes : say.no) : String(value ?? ""));
  return (field: Field, member: ListedMember): readonly [field: string, value: string] => {
    const own: Partial<Record<Field, { field?: string; value: string }>> = {
      role: { value: words.roles[member.pendingRole ?? member.role] },
      isActive: { field: edit.state, value: member.isActive ? edit.active : words.states.blocked.toLowerCase() },
      vpnConfigLimit: { field: edit.limit, value: limitText(member.vpnConfigLimit, words) },
      quotaBytes: { value: member.quotaBytes === null ? quota.any : sizeText(member.quotaBytes, language) },
      quotaAtEnd: { value: quota.choices[member.quotaAtEnd].toLowerCase() },
      isUnlimited: { field: edit.unlimited, value: plain(member.isUnlimited) },
      subscriptionEnd: {
        field: edit.subscription,
        value: subscriptionText(member, words.subscriptions, clubNow()),
      },
    };
    const { field: label = labels[field], value = plain(member[field]) } = own[field] ?? {};
    return [label, value];
  };
}
