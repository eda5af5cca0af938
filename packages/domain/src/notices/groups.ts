/** What a member can switch on or off for Telegram; the panel's inbox shows all of it. */
export const NOTICE_GROUPS = [
  "subscription",
  "devices",
  "connections",
  "support",
  "club",
  "servers",
  "tickets",
  "chats",
  "claims",
  "joining",
  "digest",
] as const;
export type NoticeGroup = (typeof NOTICE_GROUPS)[number];

/** Only for those who opted in, also in the panel. */
export const OFF_BY_DEFAULT: readonly NoticeGroup[] = ["connections", "digest"];

/** For those who run the club. */
export const STAFF_GROUPS: readonly NoticeGroup[] = ["servers", "tickets", "chats", "claims", "joining", "digest"];
