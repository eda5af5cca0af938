import type { QuotaEnd } from "./quota-rules.ts";

interface Moved {
  /** ISO, with the club's offset, as all moments here; null: the former place has ended. */
  until: string | null;
  /** Its new place is of AmneziaWG and its former one was not: it needs another app. Notices from before this was told lack it. */
  needsAmneziawg?: boolean | undefined;
}
interface Quota {
  bytes: number;
  atEnd: QuotaEnd;
  resetsAt: string;
}

/** A club's day as staff look back at it, and what waits for them. */
export interface DayFigures {
  /** YYYY-MM-DD. */
  day: string;
  /** What happened on it. */
  joined: number;
  payments: number;
  /** What these brought; each an exact decimal. */
  received: { amount: string; currency: string }[];
  ended: number;
  /** Configs that were used, and the bytes of all, received and sent. */
  devices: number;
  bytes: number;
  /** As it is when this is told: subscriptions that end within three days, and what waits for staff. */
  ending: number;
  claims: number;
  conversations: number;
  tickets: number;
  /** Those that do not answer. */
  servers: string[];
}

/** What a notice tells, by its kind. The contract's schema says the same of what the panel answers. */
export type Told =
  | { kind: "subscription_ends"; params: { days: 1 | 3; endsAt: string } }
  | { kind: "subscription_ended"; params: { endedAt: string } }
  | { kind: "referral_ends"; params: { days: 1 | 3; endsAt: string; friend: string } }
  | { kind: "referral_ended"; params: { endedAt: string } }
  | { kind: "friend_connected"; params: { friend: string } }
  | { kind: "referral_earned"; params: { friends: number } }
  | { kind: "subscription_extended"; params: { until: string } }
  | { kind: "payment_recorded" | "payment_taken_back"; params: { period: string; until: string | null } }
  | { kind: "config_made" | "device_connected"; params: { name: string } }
  | { kind: "config_moved"; params: Moved & { name: string } }
  | { kind: "configs_moved"; params: Moved & { names: string[] } }
  | { kind: "config_deleted"; params: { names: string[] } }
  | { kind: "lost_device_reported"; params: { asksStaff: boolean } }
  | { kind: "lost_device_cut"; params: { name: string } }
  | { kind: "quota_nearly" | "quota_used_up"; params: Quota }
  | { kind: "support_reply"; params: { ticketId: string | null } }
  | { kind: "maintenance_began"; params: { since: string } }
  | { kind: "maintenance_ended"; params: { since: string; until: string } }
  | { kind: "joining_limited"; params: { by: "address" | "code"; members: number } }
  | { kind: "codes_guessed"; params: { wrongCodes: number } }
  | { kind: "addresses_low"; params: { interface: string; server: string; free: number } }
  | { kind: "ticket_opened"; params: { subject: string; member: string } }
  | { kind: "member_joined"; params: { username: string } }
  | { kind: "server_gone"; params: { server: string; since: string } }
  | { kind: "server_back"; params: { server: string; since: string; until: string } }
  | { kind: "forwarding_refused"; params: { server: string } }
  | { kind: "forwarding_back"; params: { server: string; since: string; until: string } }
  | { kind: "interface_gone"; params: { interface: string; server: string; since: string } }
  | { kind: "interface_back"; params: { interface: string; server: string; since: string; until: string } }
  | { kind: "backup_late"; params: { since: string } }
  | { kind: "webhook_off"; params: { host: string; because: "gone" | "failing" } }
  | { kind: "unknown_peers"; params: { interface: string; server: string; count: number } }
  | { kind: "counters_refused"; params: { server: string } }
  | { kind: "daily_digest"; params: DayFigures }
  | { kind: "staff_message"; params: { text: string } };
