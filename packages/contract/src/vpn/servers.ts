import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, FlagNumber, Id, line, Page, Time } from "../fields.ts";
import { Why } from "../reasons.ts";

/** Current numbers of a server's machine (specification, operator's side 3). */
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
 * What the last check of a server found: `pending` not checked yet, `error` it does not answer, `silent` not checked for minutes.
 */
export const ServerStatus = z.enum(["connected", "pending", "error", "silent"]);

/** Why the panel cannot work on a server: there is no SSH connection, or its machine claims something it cannot prove. */
export const ConnectionProblem = z.enum([
  "unresolved",
  "closed",
  "silent",
  "not_ssh",
  "host_key_changed",
  "no_algorithm",
  "login_refused",
  "keys_only",
  "second_factor",
  "password_expired",
  "root_closed",
  "no_shell",
  "other_command",
  "no_sudo",
  "sudo_second",
  "no_agent",
  "lost",
  "unproved_restore",
]);

/** Where a server's tunnels are: in a Docker container, or in its system. */
export const TunnelPlace = z.enum(["docker", "system"]);

/** Why a machine cannot be a server, found before anything is installed. */
export const Unfit = z.enum([
  "unsupported_system",
  "unsupported_architecture",
  "no_systemd",
  "wrong_clock",
  "no_space",
  "no_tun",
]);

/** The fingerprint of an SSH host key, as OpenSSH prints it. */
export const Fingerprint = z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/);

/** How a machine is reached over SSH. */
const Credentials = z.strictObject({
  /** Host name or address. */
  host: z.string().trim().min(1).max(253),
  port: z.int().min(1).max(65_535).default(22),
  username: z
    .string()
    .trim()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/)
    .default("root"),
  /** Deleted once set-up has installed the panel's own key. Absent: the panel's key is there already. */
  password: z.string().min(1).max(512).optional(),
});

/** A server that does not forward what members send. */
const Forwarding = z.object({
  /** `refused`: counted in members' traffic. `suspected`: read from its firewalls, and nothing has passed them since. */
  state: z.enum(["refused", "suspected"]),
  since: Time,
  /** What refuses it, or may refuse it. */
  causes: z.array(
    z.object({
      by: z.enum(["ufw", "firewalld", "docker", "iptables", "iptables-legacy", "nftables"]),
      chain: z.string(),
      /** As listed there; null for the chain's policy. */
      rule: z.string().nullable(),
      /** Members' packets, or the answers to them. */
      ways: z.array(z.enum(["out", "back"])),
      families: z.array(z.union([z.literal(4), z.literal(6)])),
      isSure: z.boolean(),
      /** Shell commands for root that open it permanently. */
      opening: z.string(),
    }),
  ),
  /** Why the panel could not open it. */
  failure: z.string().nullable(),
  why: Why.nullable(),
});

/** A VPN server as staff see it, with the specification's twin spellings; never a secret (decisions, section 2). */
export const Server = z.object({
  id: Id,
  name: z.string(),
  /** `local`: the panel's own machine, or the machine of another panel on the same database. `ssh`: a machine reached over SSH. */
  driver: z.enum(["local", "ssh"]),
  /** The machine's own name or address; null before the first check. */
  host: z.string().nullable(),
  /** Null for a panel's machine; never the password. */
  credentials: z.object({ host: z.string(), port: z.int(), username: z.string(), hasPassword: z.boolean() }).nullable(),
  /** Of the pinned host key; null before the first contact. */
  fingerprint: z.string().nullable(),
  /** The fingerprint of a different key that the machine has shown since: nothing is done there until an admin accepts it. */
  shownFingerprint: z.string().nullable(),
  /** The machine's system: 'Debian GNU/Linux 12 (bookworm)'. */
  system: z.string().nullable(),
  /** What keeps it from being set up, with the machine's output; null if nothing is known. */
  unfit: z.object({ failure: Unfit, detail: z.string().nullable() }).nullable(),
  /** Set-up steps remain: for a new server, or one whose machine was reinstalled. */
  needsSetup: z.boolean(),
  /** Where its tunnels are or will be; null for a panel's machine. */
  tunnelsIn: TunnelPlace.nullable(),
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
  why: Why.nullable(),
  /** The same as a code, if there is one. */
  problem: ConnectionProblem.nullable(),
  /** When it stopped answering. */
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
  /** How many configs its interfaces have room for in total. */
  capacity: z.int().nonnegative(),
  /** New configs can be made on it. */
  takesNew: z.boolean(),
  /** What keeps it from forwarding what members send; null while nothing is known to. */
  forwarding: Forwarding.nullable(),
  /** Why the panel, not its machine, resolves the names of services that it routes; null if the machine does or need not. */
  namesUnresolved: Why.nullable(),
  /** Why no member's speed is limited on it; null if it is or need not be. */
  speedsUnlimited: Why.nullable(),
  /** The largest packet, in bytes, that leaves it without fragmentation; null until measured. */
  pathMtu: z.int().nullable(),
  /** Others' firewalls on its machine are kept open for its tunnels. */
  opensForwarding: z.boolean(),
  /** Files on devices that another endpoint would outdate. */
  toDownload: z.int().nonnegative(),
  /** Devices that moved away and still use their old file: deleting this cuts them off. */
  leavingCount: z.int().nonnegative(),
  /** Members the whole server is assigned to. */
  assignedCount: z.int().nonnegative(),
  /** Why it cannot be deleted now; null if it can. */
  whyNotDeleted: z.enum(["server.is_main", "server.is_local", "server.is_exit", "server.in_use"]).nullable(),
});

/** A member a server or an interface is assigned to. */
export const Assignment = z.object({ userId: Id, username: z.string(), displayName: z.string() });

/** A member's id or username, in a body or next to another id. */
export const MemberName = z.string().min(1).max(64);

/** Set by an admin who views as a moderator: VIP members are left out of the answer. */
export const as = z.literal("moderator").optional();

export const servers = {
  list: endpoint("GET /admin/servers", {
    needs: "servers.see",
    scope: "servers:read",
    summary:
      "All servers with their state; a moderator's answer leaves out how to reach their machines and what they report",
    query: z.object({ as }),
    answer: z.array(Server),
  }),
  add: endpoint("POST /admin/servers", {
    needs: "servers.change",
    trust: true,
    summary: "Add a machine reached over SSH; one that cannot be reached is saved with the reason",
    body: z.strictObject({
      name: line(64),
      credentials: Credentials,
      /** Takes effect when set-up completes. */
      isMain: Flag.default(false),
      /** Absent: in a container, unless the machine is small or runs somebody else's Docker. */
      tunnelsIn: TunnelPlace.optional(),
      /** What the provider shows as the host key's fingerprint: if the machine shows another, no password is sent. */
      fingerprint: Fingerprint.optional(),
    }),
    answer: Server,
    status: 201,
    creation: true,
    refusals: ["server.endpoint_invalid", "server.exists", "server.fingerprint_differs"],
  }),
  /** Beyond the specifications. */
  sshKey: endpoint("GET /admin/servers/ssh-key", {
    needs: "servers.change",
    summary: "The panel's public SSH key, for machines that accept only keys",
    answer: z.object({ publicKey: z.string() }),
  }),
  /** Beyond the specifications. */
  acceptHostKey: endpoint("POST /admin/servers/{id}/accept-host-key", {
    needs: "servers.change",
    trust: true,
    summary: "Accept the new host key that a machine has shown",
    body: z.strictObject({ fingerprint: Fingerprint }),
    answer: Server,
    refusals: ["server.not_found", "server.changed_meanwhile"],
  }),
  /** Beyond the specifications. */
  newPassword: endpoint("POST /admin/servers/{id}/new-password", {
    needs: "servers.change",
    trust: true,
    summary: "Set a new password for the panel's account on a machine that requires one before anything else",
    body: z.strictObject({
      /** What a person types, without control characters: it is sent to a terminal. */
      password: z
        .string()
        .min(8)
        .max(128)
        .regex(/^\P{Cc}+$/u),
      /** Absent: the password that the panel has. */
      current: z
        .string()
        .min(1)
        .max(512)
        .regex(/^\P{Cc}+$/u)
        .optional(),
    }),
    answer: Server,
    refusals: [
      "server.not_found",
      "server.is_local",
      "server.unreachable",
      "server.password_missing",
      "server.password_refused",
    ],
  }),
  change: endpoint("PUT /admin/servers/{id}", {
    needs: "servers.change",
    scope: "servers:write",
    trust: { credentials: true },
    summary:
      "Change a server's name, endpoint or credentials, whether it is open to new configs, or whether other firewalls are kept open; a new endpoint marks configs for a new download",
    body: z.strictObject({
      name: line(64).optional(),
      /** Host name or address without port; null or empty: the default one. */
      endpoint: z.string().trim().max(253).nullish(),
      takesNew: z.boolean().optional(),
      /** Keep others' firewalls on its machine open for its tunnels. */
      opensForwarding: z.boolean().optional(),
      /** With a password, the machine is set up again. */
      credentials: Credentials.optional(),
      /** The values the editor saw in the fields being changed: if one differs now, nothing changes. */
      expected: z
        .strictObject({
          name: z.string().max(64),
          endpoint: z.string().max(253).nullable(),
          /** Without the password, which nobody sees. */
          credentials: Credentials.omit({ password: true }),
        })
        .partial()
        .optional(),
    }),
    answer: Server,
    refusals: [
      "server.not_found",
      "server.unreachable",
      "server.endpoint_invalid",
      "server.exists",
      "server.is_local",
      "server.changed_meanwhile",
    ],
  }),
  remove: endpoint("DELETE /admin/servers/{id}", {
    needs: "servers.change",
    summary: "Delete a server without configs; the main server and the panel's own machine cannot be deleted",
    refusals: ["server.not_found", "server.is_main", "server.is_local", "server.is_exit", "server.in_use"],
  }),
  /** Beyond the specifications. */
  leave: endpoint("POST /admin/servers/{id}/leave", {
    needs: "servers.change",
    summary: "Delete a server over SSH without configs, and remove from its machine everything the panel put there",
    answer: z.object({
      /** Nothing is left there except what this list names as kept. */
      isClean: z.boolean(),
      /** Words: tunnels, firewall, unit, container, key, programs, or a package. */
      removed: z.array(z.string()),
      /** Packages that something else uses by now. */
      kept: z.array(z.string()),
      /** Why the rest could not be removed; the server is deleted anyway. */
      reason: z.string().nullable(),
      why: Why.nullable(),
    }),
    refusals: [
      "server.not_found",
      "server.is_main",
      "server.is_local",
      "server.is_exit",
      "server.in_use",
      "server.unreachable",
    ],
  }),
  refresh: endpoint("GET /admin/servers/{id}/refresh", {
    needs: "servers.see_secrets",
    scope: "servers:read",
    summary: "Read a server's live numbers now; retries a server that did not answer",
    answer: Server,
    refusals: ["server.not_found", "server.unreachable"],
  }),
  setMain: endpoint("PUT /admin/servers/{id}/set-main", {
    needs: "servers.change",
    scope: "servers:write",
    summary: "Make a server the main one: members with nothing assigned get its interfaces",
    answer: Server,
    refusals: ["server.not_found"],
  }),
  assign: endpoint("POST /admin/servers/assign", {
    needs: "interfaces.assign",
    scope: "servers:write",
    summary: "Assign a server to a member, who may then create configs on all of its interfaces",
    body: z.strictObject({ userId: MemberName, serverId: Id }),
    answer: Assignment,
    refusals: ["auth.forbidden", "server.not_found", "member.not_found"],
  }),
  unassign: endpoint("DELETE /admin/servers/assign/{userId}/{serverId}", {
    needs: "interfaces.assign",
    scope: "servers:write",
    summary: "Unassign a server from a member; existing configs on it stay",
    params: z.object({ userId: MemberName, serverId: Id }),
    refusals: ["auth.forbidden", "server.not_found", "member.not_found"],
  }),
  assignments: endpoint("GET /admin/servers/user-assignments/{id}", {
    needs: "servers.see",
    scope: "servers:read",
    summary: "For a server's id the members it is assigned to; for a member's id their servers",
    params: z.object({ id: MemberName }),
    query: z.object({ ...Page, as }),
    answer: z.union([z.array(Assignment), z.array(z.object({ serverId: Id, name: z.string() }))]),
    refusals: ["server.not_found", "member.not_found"],
  }),
};

export type ServerAnswer = z.output<typeof Server>;
export type AssignmentAnswer = z.output<typeof Assignment>;
export type ServerAddInput = z.output<(typeof servers.add)["body"]>;
export type ServerChangeInput = z.output<(typeof servers.change)["body"]>;
