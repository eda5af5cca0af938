import { z } from "zod";
import { endpoint, nothing } from "./endpoint.ts";
import { FlagNumber, Id, line, Page, Time } from "./fields.ts";

/** Live numbers of a server's machine (admin-side, section 3). */
const Stats = z.object({
  /** Percent of all cores together, over the last moment. */
  cpu: z.object({ usage: z.number().min(0).max(100), cores: z.int().positive() }),
  /** Bytes; `free` is what programs can still allocate. */
  memory: z.object({ total: z.int(), used: z.int(), free: z.int() }),
  /** Seconds since the machine's start. */
  uptime: z.int().nonnegative(),
  /** Over 1, 5 and 15 minutes. */
  load: z.array(z.number()).length(3),
  /** Bytes through the interface that leads to the internet, since the machine's start. */
  network_in: z.int().nonnegative(),
  network_out: z.int().nonnegative(),
  /** ISO 3166-1 alpha-2 of the address, by the panel's own data; null if unknown. */
  geolocation: z.string().nullable(),
  ip_address: z.string().nullable(),
  readAt: Time,
});

/**
 * What the last look at a server found: `pending` not looked at yet, `error` it does not answer, `silent` nobody has looked
 * at it for minutes.
 */
export const ServerStatus = z.enum(["connected", "pending", "error", "silent"]);

/** A VPN server as staff see it, with the specification's twin spellings; never a secret (decisions, section 2). */
export const Server = z.object({
  id: Id,
  name: z.string(),
  /** `local`: the panel's own machine, or the machine of another panel on the same database. */
  driver: z.literal("local"),
  /** The machine's own name or address; null before the first look. */
  host: z.string().nullable(),
  /** What devices connect to, without port; null: `defaultEndpoint` applies. */
  endpoint: z.string().nullable(),
  defaultEndpoint: z.string().nullable(),
  isMain: z.boolean(),
  is_main: FlagNumber,
  isSetupComplete: z.boolean(),
  is_setup_complete: FlagNumber,
  status: ServerStatus,
  /** Why it does not answer. */
  error: z.string().nullable(),
  /** Since when it does not answer. */
  errorSince: Time.nullable(),
  lastSync: Time.nullable(),
  createdAt: Time,
  created_at: Time,
  /** As last read by `refresh`; null if not read since the panel's start. */
  stats: Stats.nullable(),
  interfaceCount: z.int().nonnegative(),
  configCount: z.int().nonnegative(),
  /** Peers the server last confirmed. */
  peerCount: z.int().nonnegative(),
  /** How many configs its interfaces take together. */
  capacity: z.int().nonnegative(),
  /** Files on devices that another endpoint would outdate. */
  toDownload: z.int().nonnegative(),
  /** Members the whole server is assigned to. */
  assignedCount: z.int().nonnegative(),
  /** Why it cannot be deleted now; null if it can. */
  whyNotDeleted: z.enum(["server.is_main", "server.is_local", "server.in_use"]).nullable(),
});

/** A member a server or an interface is assigned to. */
export const Assignment = z.object({ userId: Id, username: z.string(), displayName: z.string() });

/** A member's id or username, in a body or next to another id. */
export const MemberName = z.string().min(1).max(64);

/** Set by an admin who views as a moderator: VIP members are left out of the answer. */
export const as = z.literal("moderator").optional();

const ServerPath = z.object({ id: Id });

export const servers = {
  list: endpoint({
    method: "GET",
    path: "/admin/servers",
    access: "staff",
    summary: "All servers with their state",
    query: z.object({ as }),
    answer: z.array(Server),
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/servers/{id}",
    access: "admin",
    summary: "Change a server's name or endpoint; a new endpoint marks configs for a new download",
    params: ServerPath,
    body: z.strictObject({
      name: line(64).optional(),
      /** Host name or address without port; null or empty: the default one. */
      endpoint: z.string().trim().max(253).nullish(),
      /** The values the editor saw in the fields being changed: if one differs now, nothing changes. */
      expected: z
        .strictObject({ name: z.string().max(64), endpoint: z.string().max(253).nullable() })
        .partial()
        .optional(),
    }),
    answer: Server,
    refusals: ["server.not_found", "server.endpoint_invalid", "server.changed_meanwhile"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/servers/{id}",
    access: "admin",
    summary: "Delete a server without configs; the main server and the panel's own machine cannot be deleted",
    params: ServerPath,
    answer: nothing,
    refusals: ["server.not_found", "server.is_main", "server.is_local", "server.in_use"],
  }),
  refresh: endpoint({
    method: "GET",
    path: "/admin/servers/{id}/refresh",
    access: "admin",
    summary: "Read a server's live numbers now; retries a server that did not answer",
    params: ServerPath,
    answer: Server,
    refusals: ["server.not_found", "server.unreachable"],
  }),
  setMain: endpoint({
    method: "PUT",
    path: "/admin/servers/{id}/set-main",
    access: "admin",
    summary: "Make a server the main one: members with nothing assigned get its interfaces",
    params: ServerPath,
    answer: Server,
    refusals: ["server.not_found"],
  }),
  assign: endpoint({
    method: "POST",
    path: "/admin/servers/assign",
    access: "staff",
    summary: "Assign a server to a member, who may then make configs on all of its interfaces",
    body: z.strictObject({ userId: MemberName, serverId: Id }),
    answer: Assignment,
    refusals: ["auth.forbidden", "server.not_found", "member.not_found"],
  }),
  unassign: endpoint({
    method: "DELETE",
    path: "/admin/servers/assign/{userId}/{serverId}",
    access: "staff",
    summary: "Take a server from a member; existing configs on it stay",
    params: z.object({ userId: MemberName, serverId: Id }),
    answer: nothing,
    refusals: ["auth.forbidden", "server.not_found", "member.not_found"],
  }),
  assignments: endpoint({
    method: "GET",
    path: "/admin/servers/user-assignments/{id}",
    access: "staff",
    summary: "For a server's id the members it is assigned to; for a member's id their servers",
    params: z.object({ id: MemberName }),
    query: z.object({ ...Page, as }),
    answer: z.union([z.array(Assignment), z.array(z.object({ serverId: Id, name: z.string() }))]),
    refusals: ["server.not_found", "member.not_found"],
  }),
};

export type ServerAnswer = z.output<typeof Server>;
export type AssignmentAnswer = z.output<typeof Assignment>;
export type ServerChangeInput = z.output<(typeof servers.change)["body"]>;
