import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import type { ListedMember } from "./queries.ts";
import { limitText, StateWords, seenText, stateOf, subscriptionText } from "./standing.tsx";
import { groupNames } from "./use-columns.tsx";
import { useUsersWords } from "./words.ts";

/** No line begins with it. */
const DOT = "\u00a0· ";

/** A row on a phone: name, state, login and three facts. */
export function MemberCard({ member, nowMs }: { member: ListedMember; nowMs: number }) {
  const words = useUsersWords();
  const { text, language } = useSpeech();
  const state = stateOf(member, nowMs);
  return (
    <StaffLink to={`users/${member.username}`} className={cells.card}>
      <b>{member.displayName}</b>
      <span className={cells.more}>
        <StateWords state={state} />
        {state === "idle" && `, ${seenText(member.lastHandshake, nowMs, words, text.age)}`}
        {DOT}
        {member.username}
        {member.role !== "user" && `${DOT}${words.roles[member.role].toLowerCase()}`}
        {member.pendingRole && `${DOT}${words.list.promised[member.pendingRole]}`}
        {member.isVip && `${DOT}${words.list.vip}`}
        {member.groups.length > 0 && `${DOT}${groupNames(member)}`}
        {member.noteCount > 0 && `${DOT}${words.list.noted(member.noteCount)}`}
      </span>
      <span className={cells.facts}>
        <span>{subscriptionText(member, words.subscriptions, nowMs)}</span>
        <Fact of={words.list.configs}>
          {words.list.configsOf(member.configCount, limitText(member.vpnConfigLimit, words))}
        </Fact>
        <Fact of={words.list.month}>{sizeText(member.monthBytes, language)}</Fact>
      </span>
    </StaffLink>
  );
}
