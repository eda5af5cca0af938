import type { Told } from "./told.ts";

/** What a member may have sent to Telegram or not; the panel's inbox has all of it. */
export const NOTICE_GROUPS = [
  "subscription",
  "devices",
  "connections",
  "support",
  "club",
  "servers",
  "tickets",
  "joining",
  "digest",
] as const;
export type NoticeGroup = (typeof NOTICE_GROUPS)[number];

/** Only told to those who asked for it, in the panel too. */
export const OFF_BY_DEFAULT: readonly NoticeGroup[] = ["connections", "digest"];

/** Told to those who run the club. */
export const STAFF_GROUPS: readonly NoticeGroup[] = ["servers", "tickets", "joining", "digest"];

/** `canWait`: in the club's quiet hours. Alarms and answers to what somebody did cannot. */
interface Manner {
  /** Null: always sent. */
  group: NoticeGroup | null;
  canWait: boolean;
}

export const MANNERS: Readonly<Record<Told["kind"], Manner>> = {
  subscription_ends: { group: "subscription", canWait: true },
  subscription_ended: { group: "subscription", canWait: true },
  referral_ends: { group: "subscription", canWait: true },
  referral_ended: { group: "subscription", canWait: true },
  payment_recorded: { group: "subscription", canWait: false },
  payment_taken_back: { group: "subscription", canWait: true },
  subscription_extended: { group: "subscription", canWait: true },
  quota_nearly: { group: "subscription", canWait: true },
  quota_used_up: { group: "subscription", canWait: true },
  config_made: { group: "devices", canWait: true },
  device_connected: { group: "connections", canWait: false },
  config_moved: { group: "devices", canWait: true },
  configs_moved: { group: "devices", canWait: true },
  config_deleted: { group: "devices", canWait: true },
  support_reply: { group: "support", canWait: false },
  maintenance_began: { group: "club", canWait: true },
  maintenance_ended: { group: "club", canWait: true },
  staff_message: { group: null, canWait: true },
  ticket_opened: { group: "tickets", canWait: false },
  member_joined: { group: "joining", canWait: false },
  joining_limited: { group: "joining", canWait: false },
  codes_guessed: { group: "joining", canWait: false },
  addresses_low: { group: "servers", canWait: false },
  daily_digest: { group: "digest", canWait: true },
  server_gone: { group: "servers", canWait: false },
  server_back: { group: "servers", canWait: false },
  forwarding_refused: { group: "servers", canWait: false },
  forwarding_back: { group: "servers", canWait: false },
  backup_late: { group: "servers", canWait: true },
  webhook_off: { group: "servers", canWait: true },
  unknown_peers: { group: "servers", canWait: false },
  counters_refused: { group: "servers", canWait: false },
  interface_gone: { group: "servers", canWait: false },
  interface_back: { group: "servers", canWait: false },
};
