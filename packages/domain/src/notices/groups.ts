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
