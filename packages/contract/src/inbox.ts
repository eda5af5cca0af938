import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ClubMoment, Id, Page, Time } from "./fields.ts";

/** What the club tells, by its kind: the page puts it into words in the reader's language. */
const told = [
  /** His subscription ends in three days, or within a day. */
  z.object({ kind: z.literal("subscription_ends"), params: z.object({ days: z.literal([1, 3]), endsAt: Time }) }),
  z.object({ kind: z.literal("subscription_ended"), params: z.object({ endedAt: Time }) }),
  /** Of which month (YYYY-MM), and until when he is paid up; null: without end. */
  z.object({
    kind: z.literal("payment_recorded"),
    params: z.object({ period: z.string(), until: ClubMoment.nullable() }),
  }),
  z.object({ kind: z.literal("config_deleted"), params: z.object({ names: z.array(z.string()).min(1) }) }),
  /** Staff answered while he was away; null: in the chat. */
  z.object({ kind: z.literal("support_reply"), params: z.object({ ticketId: Id.nullable() }) }),
  z.object({ kind: z.literal("maintenance_began"), params: z.object({ since: Time }) }),
  z.object({ kind: z.literal("maintenance_ended"), params: z.object({ since: Time, until: Time }) }),
  /** To staff: an address or a code (that one) made as many members as it may within a day. */
  z.object({
    kind: z.literal("joining_limited"),
    params: z.object({ by: z.enum(["address", "code"]), members: z.int().positive(), codeId: Id.nullable() }),
  }),
  /** To admins: few addresses are left on an interface. */
  z.object({
    kind: z.literal("addresses_low"),
    params: z.object({ interface: z.string(), server: z.string(), free: z.int().nonnegative() }),
  }),
  /** In the words of an admin. */
  z.object({ kind: z.literal("staff_message"), params: z.object({ text: z.string() }) }),
] as const;

const common = { id: Id, createdAt: Time, readAt: Time.nullable() };
const Told = z.discriminatedUnion("kind", told);
const Notice = z.intersection(Told, z.object(common));

const Unread = z.object({ unread: z.int().nonnegative() });

/** What the club told a member, kept in the panel (decisions, section 8). */
export const inbox = {
  list: endpoint({
    method: "GET",
    path: "/inbox",
    access: "member",
    summary: "What the club told oneself, the newest first",
    query: z.object({ limit: Page.limit, cursor: Page.cursor }),
    answer: z.array(Notice),
  }),
  unread: endpoint({
    method: "GET",
    path: "/inbox/unread",
    access: "member",
    summary: "How much of it one has not seen yet",
    answer: Unread,
  }),
  read: endpoint({
    method: "POST",
    path: "/inbox/read",
    access: "member",
    summary: "One has seen these notices; others' and unknown ids change nothing",
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    answer: Unread,
  }),
  notify: endpoint({
    method: "POST",
    path: "/telegram/notify/{userId}",
    access: "admin",
    summary: "Write to a member in one's own words: it stands in his inbox",
    params: z.object({ userId: z.string().min(1).max(64) }),
    body: z.strictObject({
      message: z
        .string()
        .trim()
        .min(1)
        .max(1000)
        .regex(/^(\P{Cc}|[\n\t])*$/u),
    }),
    answer: z.object({ success: z.literal(true) }),
    creation: true,
    refusals: ["member.not_found"],
  }),
};

export type ToldNotice = z.output<typeof Told>;
export type NoticeAnswer = z.output<typeof Notice>;
