import { NO_LIMIT } from "@krug/domain/config-rules";
import { ageText, clubDay, writtenShortDay } from "../../../lib/format.ts";
import type { Text } from "../../../lib/i18n/ru.ts";
import { isOnline } from "../../../lib/online.ts";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { Standing } from "../../../ui/standing.tsx";
import type { ListedMember } from "./queries.ts";
import { type UsersWords, useUsersWords } from "./words.ts";

type State = keyof UsersWords["states"];

const RINGS: Record<State, RingState> = {
  on: "on",
  idle: "idle",
  never: "never",
  noAccess: "warn",
  usedUp: "warn",
  blocked: "bad",
};

/** A member's state: what needs attention comes first. */
export function stateOf(member: ListedMember, nowMs: number): State {
  if (!member.isActive) return "blocked";
  // The subscription next to it shows the other reasons.
  if (!member.entitlement.allowed) return member.entitlement.reason === "quota" ? "usedUp" : "noAccess";
  if (member.lastHandshake === null) return "never";
  return isOnline(member.lastHandshake, nowMs) ? "on" : "idle";
}

export const StateRing = ({ state, size = 20 }: { state: State; size?: number }) => (
  <Ring state={RINGS[state]} size={size} />
);

export function StateWords({ state, ring = false }: { state: State; ring?: boolean }) {
  const { states } = useUsersWords();
  return (
    <Standing state={RINGS[state]} ring={ring}>
      {states[state]}
    </Standing>
  );
}

type Subscribed = Pick<ListedMember, "isUnlimited" | "isByReferral" | "subscriptionEnd" | "entitlement">;

/** One of the specification's five texts (operator's side 2). A block is shown elsewhere and does not replace them. */
export function subscriptionText(
  { isUnlimited, isByReferral, subscriptionEnd, entitlement }: Subscribed,
  words: UsersWords["subscriptions"],
  nowMs: number,
): string {
  if (isUnlimited) return words.unlimited;
  const runs = subscriptionEnd !== null && Date.parse(subscriptionEnd) > nowMs;
  if (subscriptionEnd !== null && (runs || entitlement.reason === "subscription"))
    return words.until(writtenShortDay(clubDay(subscriptionEnd)));
  if (isByReferral) return words.referral;
  return subscriptionEnd === null ? words.none : words.expired;
}

export const limitText = (limit: number, words: UsersWords) =>
  limit === NO_LIMIT ? words.list.noLimit : String(limit);

/** 'сейчас' for a connected device. */
export function seenText(lastHandshake: number | null, nowMs: number, words: UsersWords, ages: Text["age"]): string {
  if (isOnline(lastHandshake, nowMs)) return words.list.now;
  return ageText(lastHandshake, nowMs, ages);
}
