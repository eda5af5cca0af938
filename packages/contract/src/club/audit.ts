import { AUDIT_ACTIONS, AUDIT_AREAS, type AuditAction } from "@krug/domain/audit-actions";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, TablePage, Time, TimeOrDay } from "../fields.ts";
import { Role } from "../members/members.ts";

const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** A person in an entry. The names are null once the person is deleted. */
const Person = z.object({ id: Id, username: z.string().nullable(), displayName: z.string().nullable() });

/** An action by staff (decisions, section 14). */
const Entry = z.object({
  id: Id,
  at: Time,
  action: z.enum(actions),
  /** Null: the panel itself, or the command line. */
  by: Person.nullable(),
  /**
   * The session that acted, or the API token by its name at the time (`id` is the token's); null for the panel itself and the
   * command line.
   */
  session: z.object({ id: Id, device: z.string().nullable(), apiToken: z.string().nullable() }).nullable(),
  /** `telegram`: by the club's bot. */
  via: z.literal("telegram").nullable(),
  target: z.object({ kind: z.enum([...new Set(Object.values(AUDIT_ACTIONS))]), id: z.string().nullable() }),
  /** The member that the action concerns. */
  member: Person.nullable(),
  /** Only what changed. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** Current names of the ids in the entry. */
  names: z.record(z.string(), z.string()),
});

/** Set by an admin who views as a moderator. */
const as = z.literal("moderator").optional();

export const audit = {
  list: endpoint("GET /admin/audit", {
    needs: "audit.see",
    scope: "audit:read",
    summary:
      "What staff did, newest first; `q` finds whom it concerns. X-Total-Count counts up to 10,000. A moderator's answer leaves out VIP members, servers and the system",
    query: z.object({
      ...TablePage,
      /** One action, or an area: all actions whose names start with it. */
      action: z.enum([...actions, ...AUDIT_AREAS]).optional(),
      by: Id.optional(),
      /** Days are whole days of the club's calendar. */
      from: TimeOrDay.optional(),
      to: TimeOrDay.optional(),
      as,
    }),
    answer: z.array(Entry),
  }),
  staff: endpoint("GET /admin/audit/staff", {
    needs: "audit.see",
    scope: "audit:read",
    summary: "Staff, by name",
    query: z.object({ as }),
    answer: z.array(z.object({ id: Id, username: z.string(), displayName: z.string(), role: Role })),
  }),
};

export type AuditEntryAnswer = z.output<typeof Entry>;
