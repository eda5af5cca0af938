import { type ClubCalendar, effectOf, endWithout, type Grant, type PaymentStatus } from "@krug/domain/payment-rules";
import { grantedMonths } from "@krug/domain/prepaid-months";
import type { MemberRow } from "../../members/members/index.ts";
import type { PaymentRow } from "./table.ts";

type GrantColumns = Pick<
  PaymentRow,
  "granted_from" | "granted_until" | "granted_end_before" | "granted_source_before" | "granted_anchor_day"
>;
type Subscription = Pick<MemberRow, "subscription_end" | "subscription_source">;

export const NO_GRANT: GrantColumns = {
  granted_from: null,
  granted_until: null,
  granted_end_before: null,
  granted_source_before: null,
  granted_anchor_day: null,
};

/** What a status does to a subscription, and what the records of the months store of it. */
export interface SubscriptionEffect {
  readonly kind: "grant" | "take back";
  readonly months: number;
  /** One for each month that is granted, in their order. */
  readonly grants: readonly GrantColumns[];
  readonly subscription: Subscription;
}

interface Standing {
  member: MemberRow;
  /** The records of the payment that the month belongs to, in the order of their months; none if nothing is recorded. */
  before: readonly PaymentRow[];
  to: PaymentStatus;
  /** How many months `paid` is for. */
  months?: number;
  /** From the grant that set the subscription's end; null if none did. */
  anchorDay: number | null;
  /** ms since 1970 */
  now: number;
}

/** Grants the months or takes them back, if the new status does either (decisions, section 5); null if nothing changes. */
export function subscriptionEffect(standing: Standing, calendar: ClubCalendar): SubscriptionEffect | null {
  const granted = standing.before.flatMap((row) => grantOf(row) ?? []);
  const kind = effectOf(standing.to, granted[0] ?? null);
  if (kind === "grant") return grant(standing, calendar);
  return kind === "take back" ? takeBack(standing, granted, calendar) : null;
}

function grant({ member, to, months = 1, anchorDay, now }: Standing, calendar: ClubCalendar): SubscriptionEffect {
  const grants = grantedMonths(months, { now, subscriptionEnd: member.subscription_end, anchorDay }, calendar);
  const source = to === "paid" ? "payment" : "staff";
  return {
    kind: "grant",
    months,
    grants: grants.map(({ from, until, endBefore, anchorDay }, place) => ({
      granted_from: from,
      granted_until: until,
      granted_end_before: endBefore,
      granted_source_before: place === 0 ? member.subscription_source : source,
      granted_anchor_day: anchorDay,
    })),
    subscription: { subscription_end: grants.at(-1)?.until ?? member.subscription_end, subscription_source: source },
  };
}

function takeBack({ member, before }: Standing, granted: readonly Grant[], calendar: ClubCalendar): SubscriptionEffect {
  const untouched = member.subscription_end === granted.at(-1)?.until;
  return {
    kind: "take back",
    months: granted.length,
    grants: [],
    subscription: {
      subscription_end: granted.reduceRight((end, grant) => endWithout(grant, end, calendar), member.subscription_end),
      subscription_source: untouched ? (before[0]?.granted_source_before ?? null) : member.subscription_source,
    },
  };
}

function grantOf({ granted_from, granted_until, granted_end_before, granted_anchor_day }: PaymentRow): Grant | null {
  if (granted_from === null || granted_until === null || granted_anchor_day === null) return null;
  return { from: granted_from, until: granted_until, endBefore: granted_end_before, anchorDay: granted_anchor_day };
}
