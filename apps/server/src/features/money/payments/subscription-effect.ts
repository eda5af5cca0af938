import {
  type ClubCalendar,
  effectOf,
  endWithout,
  type Grant,
  grantedMonth,
  type PaymentStatus,
} from "@krug/domain/payment-rules";
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

/** What a status does to a subscription, and what the month's record stores of it. */
export interface SubscriptionEffect {
  readonly kind: "grant" | "take back";
  readonly columns: GrantColumns;
  readonly subscription: Subscription;
}

interface Standing {
  member: MemberRow;
  /** The month's current record. */
  before: PaymentRow | undefined;
  to: PaymentStatus;
  /** From the grant that set the subscription's end; null if none did. */
  anchorDay: number | null;
  /** ms since 1970 */
  now: number;
}

/** Grants the month or takes it back, if the new status does either (decisions, section 5); null if nothing changes. */
export function subscriptionEffect(standing: Standing, calendar: ClubCalendar): SubscriptionEffect | null {
  const granted = grantOf(standing.before);
  const kind = effectOf(standing.to, granted);
  if (kind === "grant") return grant(standing, calendar);
  return kind === "take back" && granted !== null ? takeBack(standing, granted, calendar) : null;
}

function grant({ member, to, anchorDay, now }: Standing, calendar: ClubCalendar): SubscriptionEffect {
  const month = grantedMonth({ now, subscriptionEnd: member.subscription_end, anchorDay }, calendar);
  return {
    kind: "grant",
    columns: {
      granted_from: month.from,
      granted_until: month.until,
      granted_end_before: month.endBefore,
      granted_source_before: member.subscription_source,
      granted_anchor_day: month.anchorDay,
    },
    subscription: { subscription_end: month.until, subscription_source: to === "paid" ? "payment" : "staff" },
  };
}

function takeBack({ member, before }: Standing, granted: Grant, calendar: ClubCalendar): SubscriptionEffect {
  const untouched = member.subscription_end === granted.until;
  return {
    kind: "take back",
    columns: NO_GRANT,
    subscription: {
      subscription_end: endWithout(granted, member.subscription_end, calendar),
      subscription_source: untouched ? (before?.granted_source_before ?? null) : member.subscription_source,
    },
  };
}

function grantOf(row: PaymentRow | undefined): Grant | null {
  if (row === undefined) return null;
  const { granted_from, granted_until, granted_end_before, granted_anchor_day } = row;
  if (granted_from === null || granted_until === null || granted_anchor_day === null) return null;
  return { from: granted_from, until: granted_until, endBefore: granted_end_before, anchorDay: granted_anchor_day };
}
