import { NOTICE_KINDS, type Told as ToldByKind, traitsOf } from "@krug/domain/notices";
import type { ParamKind } from "@krug/domain/notices/notice";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { ClubMoment, Id, Page, StaffMessage, Time } from "../fields.ts";

const Count = z.int().nonnegative();
const Name = z.string();

/** The schema for each kind of notice param. */
const SCHEMAS: Readonly<Record<Extract<ParamKind, string>, z.ZodType>> = {
  text: Name,
  texts: z.array(Name),
  written: z.string(),
  person: Name,
  id: Id,
  "id or null": Id.nullable(),
  "id if any": Id.optional(),
  moment: ClubMoment,
  "moment or null": ClubMoment.nullable(),
  day: z.iso.date(),
  count: Count,
  positive: z.int().positive(),
  "positive if any": z.int().positive().optional(),
  bytes: Count,
  flag: z.boolean(),
  "flag if any": z.boolean().optional(),
  sums: z.array(z.object({ amount: z.string(), currency: z.string() })),
};
const schemaOf = (is: ParamKind): z.ZodType => (typeof is === "string" ? SCHEMAS[is] : z.literal([...is]));

/** A notice, by kind: the page words it in the reader's language. */
const told = NOTICE_KINDS.map((kind) => {
  const params = Object.entries(traitsOf(kind).params).map(([name, is]) => [name, schemaOf(is)] as const);
  return z.object({ kind: z.literal(kind), params: z.object(Object.fromEntries(params)) });
});

const common = { id: Id, createdAt: Time, readAt: Time.nullable() };
const Told = z.discriminatedUnion(
  "kind",
  told as [(typeof told)[number], ...typeof told],
) as unknown as z.ZodType<ToldByKind>;
const Notice = z.intersection(Told, z.object(common));

const Unread = z.object({ unread: z.int().nonnegative() });

/** What the club told a member, stored in the panel (decisions, section 8). */
export const inbox = {
  list: endpoint("GET /inbox", {
    access: "member",
    scope: "notices:read",
    summary: "Your notices, newest first",
    query: z.object({ limit: Page.limit, cursor: Page.cursor }),
    answer: z.array(Notice),
  }),
  unread: endpoint("GET /inbox/unread", {
    access: "member",
    scope: "notices:read",
    summary: "How many of your notices are unseen",
    answer: Unread,
  }),
  read: endpoint("POST /inbox/read", {
    access: "member",
    scope: "notices:write",
    summary: "Mark these notices as seen, or all of yours without ids; other people's and unknown ids change nothing",
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000).optional() }),
    answer: Unread,
  }),
  notify: endpoint("POST /telegram/notify/{userId}", {
    needs: "telegram.notify",
    scope: "notices:write",
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

export type NoticeAnswer = z.output<typeof Notice>;
