import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ClubMoment, Id, Page, StaffMessage, Time } from "./fields.ts";
import { AtQuotaEnd, QuotaBytes } from "./traffic.ts";

/** The name of another member: the kind names its param in NOTICES, by which it is hidden and deleted. */
const PersonsName = z.string();
const Count = z.int().nonnegative();
const QuotaTold = z.object({ bytes: QuotaBytes, atEnd: AtQuotaEnd, resetsAt: ClubMoment });

const Moved = {
  /** When the former place ends at the latest; null if there is none. */
  until: ClubMoment.nullable(),
  /** The new place is of AmneziaWG and the former one was not: it needs another app. */
  needsAmneziawg: z.boolean().optional(),
};

/** A notice, by kind: the page words it in the reader's language. */
const told = [
  /** The subscription ends in three days, or within a day. */
  z.object({ kind: z.literal("subscription_ends"), params: z.object({ days: z.literal([1, 3]), endsAt: ClubMoment }) }),
  z.object({ kind: z.literal("subscription_ended"), params: z.object({ endedAt: ClubMoment }) }),
  /** What friends earn ends with this friend's subscription, or has ended. */
  z.object({
    kind: z.literal("referral_ends"),
    params: z.object({ days: z.literal([1, 3]), endsAt: ClubMoment, friend: PersonsName }),
  }),
  z.object({ kind: z.literal("referral_ended"), params: z.object({ endedAt: ClubMoment }) }),
  /** A friend of the member connected for the first time; so many friends use the club now that the subscription is free. */
  z.object({ kind: z.literal("friend_connected"), params: z.object({ friend: PersonsName }) }),
  z.object({ kind: z.literal("referral_earned"), params: z.object({ friends: z.int().positive() }) }),
  /** The month (YYYY-MM), and until when it is paid up; null: without end. */
  z.object({
    kind: z.literal("payment_recorded"),
    params: z.object({ period: z.string(), until: ClubMoment.nullable() }),
  }),
  /** A payment was taken back; `until`: how long the subscription lasts now, null: it has no end, or there is none. */
  z.object({
    kind: z.literal("payment_taken_back"),
    params: z.object({ period: z.string(), until: ClubMoment.nullable() }),
  }),
  /** Staff gave more time. */
  z.object({ kind: z.literal("subscription_extended"), params: z.object({ until: ClubMoment }) }),
  /** Staff made a config of this name for the member. */
  z.object({ kind: z.literal("config_made"), params: z.object({ name: z.string() }) }),
  /** The device of this name connected for the first time. Only told to those who asked for it. */
  z.object({ kind: z.literal("device_connected"), params: z.object({ name: z.string() }) }),
  /** Staff moved the config of this name. */
  z.object({ kind: z.literal("config_moved"), params: z.object({ name: z.string(), ...Moved }) }),
  /** The same of several, because their server was emptied. */
  z.object({
    kind: z.literal("configs_moved"),
    params: z.object({ names: z.array(z.string()).min(1), ...Moved }),
  }),
  z.object({ kind: z.literal("config_deleted"), params: z.object({ names: z.array(z.string()).min(1) }) }),
  /** Somebody named the member at the sign-in page and said that a device is lost. `asksStaff`: staff can confirm it too. */
  z.object({ kind: z.literal("lost_device_reported"), params: z.object({ asksStaff: z.boolean() }) }),
  /** Staff confirmed it: the device of this name needs its new file. */
  z.object({ kind: z.literal("lost_device_cut"), params: z.object({ name: z.string() }) }),
  /** 80 % of the month's traffic quota is used, or all of it; `resetsAt`: when counting starts again. */
  z.object({ kind: z.literal("quota_nearly"), params: QuotaTold }),
  z.object({ kind: z.literal("quota_used_up"), params: QuotaTold }),
  /** Staff answered while the member was away; null: in the chat. */
  z.object({ kind: z.literal("support_reply"), params: z.object({ ticketId: Id.nullable() }) }),
  z.object({ kind: z.literal("maintenance_began"), params: z.object({ since: ClubMoment }) }),
  z.object({ kind: z.literal("maintenance_ended"), params: z.object({ since: ClubMoment, until: ClubMoment }) }),
  /** To staff: an address or a code (this one) reached its daily limit of new members. */
  z.object({
    kind: z.literal("joining_limited"),
    params: z.object({ by: z.enum(["address", "code"]), members: z.int().positive(), codeId: Id.nullable() }),
  }),
  /** To staff: so many wrong invite codes came within an hour that somebody may be guessing. */
  z.object({ kind: z.literal("codes_guessed"), params: z.object({ wrongCodes: z.int().positive() }) }),
  /** To admins: an interface is running out of addresses. */
  z.object({
    kind: z.literal("addresses_low"),
    params: z.object({ interface: z.string(), server: z.string(), free: z.int().nonnegative() }),
  }),
  /** To staff. */
  z.object({
    kind: z.literal("ticket_opened"),
    params: z.object({ ticketId: Id, subject: z.string(), member: PersonsName }),
  }),
  z.object({ kind: z.literal("member_joined"), params: z.object({ memberId: Id, username: PersonsName }) }),
  /** To staff: a server does not answer since then, or answers again. */
  z.object({ kind: z.literal("server_gone"), params: z.object({ server: z.string(), since: ClubMoment }) }),
  z.object({
    kind: z.literal("server_back"),
    params: z.object({ server: z.string(), since: ClubMoment, until: ClubMoment }),
  }),
  /** To staff: a server does not pass on what members send, or does again. */
  z.object({ kind: z.literal("forwarding_refused"), params: z.object({ server: z.string() }) }),
  z.object({
    kind: z.literal("forwarding_back"),
    params: z.object({ server: z.string(), since: ClubMoment, until: ClubMoment }),
  }),
  /** To staff: most devices of an interface went at once, as if their networks blocked it; or most are back. */
  z.object({
    kind: z.literal("interface_gone"),
    params: z.object({ interface: z.string(), server: z.string(), since: ClubMoment }),
  }),
  z.object({
    kind: z.literal("interface_back"),
    params: z.object({ interface: z.string(), server: z.string(), since: ClubMoment, until: ClubMoment }),
  }),
  /** To staff: no scheduled backup was good since then, for twice the interval. */
  z.object({ kind: z.literal("backup_late"), params: z.object({ since: ClubMoment }) }),
  /** To admins: the panel switched a webhook off, because its receiver said so or has only failed for days. */
  z.object({
    kind: z.literal("webhook_off"),
    params: z.object({ host: z.string(), because: z.enum(["gone", "failing"]) }),
  }),
  /** To admins: after a restore these devices were on the wire, and the backup does not know them. */
  z.object({
    kind: z.literal("unknown_peers"),
    params: z.object({ interface: z.string(), server: z.string(), count: z.int().positive() }),
  }),
  /** To staff: a server said of its devices' traffic what cannot be, and it was not counted. */
  z.object({ kind: z.literal("counters_refused"), params: z.object({ server: z.string() }) }),
  /** To staff who asked for it: the club's day before, and what waits for them. */
  z.object({
    kind: z.literal("daily_digest"),
    params: z.object({
      day: z.iso.date(),
      joined: Count,
      payments: Count,
      received: z.array(z.object({ amount: z.string(), currency: z.string() })),
      ended: Count,
      devices: Count,
      bytes: Count,
      ending: Count,
      claims: Count,
      conversations: Count,
      tickets: Count,
      servers: z.array(z.string()),
    }),
  }),
  /** In an admin's own words. */
  z.object({ kind: z.literal("staff_message"), params: z.object({ text: z.string() }) }),
] as const;

const common = { id: Id, createdAt: Time, readAt: Time.nullable() };
export const Told = z.discriminatedUnion("kind", told);
const Notice = z.intersection(Told, z.object(common));

const Unread = z.object({ unread: z.int().nonnegative() });

/** What the club told a member, kept in the panel (decisions, section 8). */
export const inbox = {
  list: endpoint({
    method: "GET",
    path: "/inbox",
    access: "member",
    summary: "Your notices, newest first",
    query: z.object({ limit: Page.limit, cursor: Page.cursor }),
    answer: z.array(Notice),
  }),
  unread: endpoint({
    method: "GET",
    path: "/inbox/unread",
    access: "member",
    summary: "How many of your notices are unseen",
    answer: Unread,
  }),
  read: endpoint({
    method: "POST",
    path: "/inbox/read",
    access: "member",
    summary: "Mark these notices as seen; other people's and unknown ids change nothing",
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    answer: Unread,
  }),
  notify: endpoint({
    method: "POST",
    path: "/telegram/notify/{userId}",
    needs: "telegram.notify",
    summary: "Write to a member's inbox in your own words",
    params: z.object({ userId: z.string().min(1).max(64) }),
    body: z.strictObject({
      message: StaffMessage,
    }),
    answer: z.object({ success: z.literal(true) }),
    creation: true,
    refusals: ["member.not_found"],
  }),
};

export type ToldNotice = z.output<typeof Told>;
export type NoticeAnswer = z.output<typeof Notice>;
