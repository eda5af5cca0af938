import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditAction } from "@krug/domain/audit-actions";
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Page, Time, TimeOrDay } from "./fields.ts";
import { Role } from "./members.ts";

const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** Somebody in an entry. His names are null when he is gone. */
const Person = z.object({ id: Id, username: z.string().nullable(), displayName: z.string().nullable() });

/** An act of staff (decisions, section 14). */
const Entry = z.object({
  id: Id,
  at: Time,
  action: z.enum(actions),
  /** Null: the panel itself, or the command line. */
  by: Person.nullable(),
  /** From which of his sessions; null for the panel itself and for the command line. */
  session: z.object({ id: Id, device: z.string().nullable() }).nullable(),
  target: z.object({ kind: z.enum([...new Set(Object.values(AUDIT_ACTIONS))]), id: z.string().nullable() }),
  /** Whom it concerns. */
  member: Person.nullable(),
  /** Only what changed. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** What ids that stand in it are called now. */
  names: z.record(z.string(), z.string()),
});

/** An admin who looks as a moderator does is answered as one. */
const as = z.literal("moderator").optional();

export const audit = {
  list: endpoint({
    method: "GET",
    path: "/admin/audit",
    access: "staff",
    summary:
      "What staff did, the newest first; `q` is whom it concerns. X-Total-Count stands up to 10,000. Without VIP members, servers and the system in a moderator's answer",
    query: z.object({
      ...Page,
      /** One act, or an area: all acts whose name begins with it. */
      action: z.enum([...actions, ...AUDIT_AREAS]).optional(),
      by: Id.optional(),
      /** Days are whole days of the club's calendar. */
      from: TimeOrDay.optional(),
      to: TimeOrDay.optional(),
      as,
    }),
    answer: z.array(Entry),
  }),
  staff: endpoint({
    method: "GET",
    path: "/admin/audit/staff",
    access: "staff",
    summary: "Who is on the staff, by name",
    query: z.object({ as }),
    answer: z.array(z.object({ id: Id, username: z.string(), displayName: z.string(), role: Role })),
  }),
};

export type AuditEntryAnswer = z.output<typeof Entry>;
