import { isStaff, type Role } from "./roles.ts";
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

export type NoticeKind = Told["kind"];

/** What holds for all notices of a kind, wherever they are read or sent. */
interface NoticeTraits {
  /** Null: always sent. */
  group: NoticeGroup | null;
  /** In the club's quiet hours. Alarms and answers to what somebody did cannot. */
  canWait: boolean;
  /** Who may read it: any member who gets it, only staff, or only admins. */
  audience: "member" | "staff" | "admins";
  /**
   * The param that names another member. Such a notice says whom it is about: it is hidden from readers for whom that member does
   * not exist, and deleted with the member.
   */
  names?: string;
  /** Where there is more; the dashboard if not given. */
  page?: string;
  /** A locked screen shows it without what people wrote, who did, and the club's money. */
  isPrivate?: true;
}

export const NOTICES = {
  subscription_ends: { group: "subscription", canWait: true, audience: "member" },
  subscription_ended: { group: "subscription", canWait: true, audience: "member" },
  referral_ends: { group: "subscription", canWait: true, audience: "member", names: "friend" },
  referral_ended: { group: "subscription", canWait: true, audience: "member" },
  friend_connected: { group: "subscription", canWait: true, audience: "member", names: "friend" },
  referral_earned: { group: "subscription", canWait: true, audience: "member" },
  payment_recorded: { group: "subscription", canWait: false, audience: "member" },
  payment_taken_back: { group: "subscription", canWait: true, audience: "member" },
  subscription_extended: { group: "subscription", canWait: true, audience: "member" },
  quota_nearly: { group: "subscription", canWait: true, audience: "member" },
  quota_used_up: { group: "subscription", canWait: true, audience: "member" },
  config_made: { group: "devices", canWait: true, audience: "member" },
  device_connected: { group: "connections", canWait: false, audience: "member" },
  config_moved: { group: "devices", canWait: true, audience: "member" },
  configs_moved: { group: "devices", canWait: true, audience: "member" },
  config_deleted: { group: "devices", canWait: true, audience: "member" },
  lost_device_reported: { group: null, canWait: false, audience: "member" },
  lost_device_cut: { group: null, canWait: false, audience: "member" },
  support_reply: { group: "support", canWait: false, audience: "member" },
  maintenance_began: { group: "club", canWait: true, audience: "member" },
  maintenance_ended: { group: "club", canWait: true, audience: "member" },
  staff_message: { group: null, canWait: true, audience: "member", isPrivate: true },
  ticket_opened: {
    group: "tickets",
    canWait: false,
    audience: "staff",
    names: "member",
    page: "/admin/support",
    isPrivate: true,
  },
  member_joined: {
    group: "joining",
    canWait: false,
    audience: "staff",
    names: "username",
    page: "/admin/users",
    isPrivate: true,
  },
  joining_limited: { group: "joining", canWait: false, audience: "staff", page: "/admin/invites" },
  codes_guessed: { group: "joining", canWait: false, audience: "staff", page: "/admin/invites" },
  // VIP members' devices are counted too.
  addresses_low: { group: "servers", canWait: false, audience: "admins", page: "/admin/interfaces" },
  daily_digest: { group: "digest", canWait: true, audience: "staff", isPrivate: true },
  server_gone: { group: "servers", canWait: false, audience: "staff", page: "/admin/system" },
  server_back: { group: "servers", canWait: false, audience: "staff", page: "/admin/system" },
  forwarding_refused: { group: "servers", canWait: false, audience: "staff", page: "/admin/servers" },
  forwarding_back: { group: "servers", canWait: false, audience: "staff", page: "/admin/servers" },
  backup_late: { group: "servers", canWait: true, audience: "staff", page: "/admin/system" },
  webhook_off: { group: "servers", canWait: true, audience: "admins", page: "/admin/webhooks" },
  unknown_peers: { group: "servers", canWait: false, audience: "admins", page: "/admin/servers" },
  counters_refused: { group: "servers", canWait: false, audience: "staff", page: "/admin/servers" },
  interface_gone: { group: "servers", canWait: false, audience: "staff", page: "/admin/interfaces" },
  interface_back: { group: "servers", canWait: false, audience: "staff", page: "/admin/interfaces" },
} as const satisfies Record<NoticeKind, NoticeTraits>;

/** The same, as one type for all kinds. */
export const traitsOf = (kind: NoticeKind): NoticeTraits => NOTICES[kind];

type With<Trait extends keyof NoticeTraits> = {
  [Kind in NoticeKind]: Trait extends keyof (typeof NOTICES)[Kind] ? Kind : never;
}[NoticeKind];

/** Kinds that name another member. */
export type NamingKind = With<"names">;
export type PrivateKind = With<"isPrivate">;

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];
export const NAMING_KINDS = NOTICE_KINDS.filter((kind) => traitsOf(kind).names !== undefined);

/** Whether a kind is for readers of this role. What somebody was told as staff is not theirs any more afterwards. */
export function isFor(kind: NoticeKind, role: Role): boolean {
  const { audience } = traitsOf(kind);
  return audience === "member" || (audience === "admins" ? role === "admin" : isStaff(role));
}
