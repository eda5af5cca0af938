import { POOL_PREFIXES } from "@krug/domain/address-pool";
import { INTERFACE_FIELDS } from "@krug/domain/fields/interface";
import { PROBE_STATES } from "@krug/domain/probe";
import { z } from "zod";
import { answered, changeable, expectedOf, settable, withSpellings } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import { Id, Page, Time } from "../fields.ts";
import { Why } from "../reasons.ts";
import { Assignment, as, MemberName } from "./servers.ts";

/** The latest result of the panel's own handshake with an interface, once a minute. */
export const Probe = z.object({
  state: z.enum(PROBE_STATES),
  since: Time,
  /** Sent from the server's own machine, which proves nothing about the path from outside. */
  fromInside: z.boolean(),
});

export const TunnelType = z.enum(["wireguard", "amneziawg"]);
/** All devices of an interface speak its one version: there is no negotiation. */
export const AmneziaVersion = z.enum(["2.0", "3.1"]);
/** `ordinary` hides what the traffic is; the others also imitate another protocol, or keep small what mobile operators count. */
export const AmneziaPreset = z.enum(["ordinary", "mobile", "dns", "quic"]);

const Amneziawg = z.object({
  version: AmneziaVersion,
  /** By their keys in a config file and in its spelling, except the secret one. */
  parameters: z.record(z.string(), z.string()),
  /** The largest MTU that leaves room for the padding on every packet, in bytes. */
  mtu: z.int(),
});

/** What kind of tunnel a device has, which decides the app it needs. `version`: null for plain WireGuard. */
export const Tunnel = z.object({ type: TunnelType, version: AmneziaVersion.nullable() });

/** A tunnel interface of a server as staff see it (specification, operator's side 3). */
export const Interface = z.object({
  id: Id,
  ...answered(INTERFACE_FIELDS),
  type: TunnelType,
  /** Null for plain WireGuard. */
  amneziawg: Amneziawg.nullable(),
  /** Two servers have an 'Interface 1' each. */
  serverName: z.string(),
  /** Why the machine could not apply it; null if it did, or has not tried yet. */
  conflict: z.string().nullable(),
  why: Why.nullable(),
  /** Null if it was not probed yet, or not recently. */
  probe: Probe.nullable(),
  /** When most of its devices went offline at once, as if their networks blocked it; null: they did not. */
  goneSince: Time.nullable(),
  configCount: z.int().nonnegative(),
  /** How many configs fit into its subnet. */
  capacity: z.int().nonnegative(),
  /** Peers the server last confirmed. */
  peerCount: z.int().nonnegative(),
  /** Files on devices that a new port, endpoint or MTU would outdate. */
  toDownload: z.int().nonnegative(),
  /** Devices that moved away and still use their old file: deleting this cuts them off. */
  leavingCount: z.int().nonnegative(),
  /** Members it is assigned to. */
  assignedCount: z.int().nonnegative(),
});

const {
  name: Name,
  mtu: Mtu,
  routing: Routing,
  restExit: RestExit,
  exitDown: ExitDown,
  exitLink: ExitLink,
} = settable(INTERFACE_FIELDS);

const Parameters = z.record(z.string().max(40), z.string().max(4_000));
const InterfaceChange = withSpellings(
  z.strictObject({
    ...changeable(INTERFACE_FIELDS),
    /** Devices get an IPv6 address as well; can change only while no address is used. */
    ipv6: z.boolean().optional(),
    /** Parameters of AmneziaWG by their keys in a config file; omitted ones stay unchanged. */
    amneziawg: Parameters.optional(),
    /** How many devices the editor expects to cut off: they are silent until they have the new file. */
    cutsOff: z.int().nonnegative().optional(),
    expected: expectedOf(INTERFACE_FIELDS)
      .unwrap()
      .extend({ ipv6: z.boolean().optional(), amneziawg: Parameters.optional() })
      .optional(),
  }),
  INTERFACE_FIELDS,
);

/** Omitted: plain WireGuard. */
export const NewProfile = z.strictObject({ version: AmneziaVersion.default("3.1"), preset: AmneziaPreset });

const assignmentRefusals = ["auth.forbidden", "interface.not_found", "member.not_found"] as const;

export const interfaces = {
  list: endpoint("GET /admin/servers/interfaces", {
    needs: "interfaces.see",
    scope: "servers:read",
    summary: "All interfaces of all servers",
    query: z.object({ as }),
    answer: z.array(Interface),
  }),
  ofServer: endpoint("GET /admin/servers/{id}/interfaces", {
    needs: "interfaces.see",
    scope: "servers:read",
    summary: "The interfaces of a server",
    query: z.object({ as }),
    answer: z.array(Interface),
    refusals: ["server.not_found"],
  }),
  create: endpoint("POST /admin/servers/{serverId}/create-interface", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary: "Create the next interface, with the next name, port and subnet that are free on the machine",
    /** Without a name: 'Interface N'. */
    body: z
      .strictObject({
        name: Name.optional(),
        prefix: z.literal(POOL_PREFIXES).optional(),
        ipv6: z.boolean().optional(),
        /** Omitted: what fits the server's path, measured now. null: the default. */
        mtu: Mtu.optional(),
        amneziawg: NewProfile.optional(),
        /** Omitted: the file on the device decides. */
        routing: Routing.optional(),
        restExit: RestExit.optional(),
        exitDown: ExitDown.optional(),
        exitLink: ExitLink.optional(),
      })
      .optional(),
    answer: z.object({ success: z.literal(true), interface: Interface }),
    status: 201,
    creation: true,
    refusals: [
      "server.not_found",
      "server.unreachable",
      "interface.no_room",
      "interface.parameter_invalid",
      "interface.cannot_route",
      "exit.not_found",
      "exit.cannot_route",
      "exit.cannot_disguise",
    ],
  }),
  /** Beyond the specifications. */
  amneziawg: endpoint("GET /admin/servers/{id}/amneziawg", {
    needs: "interfaces.change",
    scope: "servers:read",
    summary: "Whether a server's machine can run AmneziaWG tunnels",
    answer: z.object({
      /** Why it cannot; null if it can. */
      lacks: z.string().nullable(),
      why: Why.nullable(),
      /** The version of the kernel module, if one is loaded. Tunnels still run in the engine. */
      module: z.string().nullable(),
    }),
    refusals: ["server.not_found", "server.unreachable"],
  }),
  rename: endpoint("PUT /admin/servers/{serverId}/interfaces/{interfaceId}", {
    needs: "interfaces.rename",
    scope: "servers:write",
    summary: "Rename an interface; moderators need an admin to switch that on",
    body: z.strictObject({ name: Name, expected: z.strictObject({ name: z.string().max(64) }).optional() }),
    answer: Interface,
    refusals: ["auth.forbidden", "interface.not_found", "interface.changed_meanwhile"],
  }),
  remove: endpoint("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary: "Delete an interface and the configs on it; the caller states how many configs that is",
    /** If the number differs now, nothing is deleted. */
    query: z.object({ configs: z.coerce.number().int().min(0).default(0) }),
    refusals: ["interface.not_found", "interface.in_use"],
  }),
  change: endpoint("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary: "Change an interface; a new port, endpoint or MTU marks configs for a new download",
    body: InterfaceChange,
    answer: Interface,
    refusals: [
      "interface.not_found",
      "interface.endpoint_invalid",
      "interface.subnet_invalid",
      "interface.subnet_taken",
      "interface.subnet_in_use",
      "interface.port_taken",
      "interface.parameter_invalid",
      "interface.cuts_off",
      "interface.cannot_route",
      "exit.not_found",
      "exit.cannot_route",
      "exit.cannot_disguise",
      "server.unreachable",
      "interface.changed_meanwhile",
    ],
  }),
  assign: endpoint("POST /admin/servers/interfaces/assign", {
    needs: "interfaces.assign",
    scope: "servers:write",
    summary: "Assign an interface to a member; moderators need an admin to switch that on",
    body: z.strictObject({ userId: MemberName, interfaceId: Id }),
    answer: Assignment,
    refusals: assignmentRefusals,
  }),
  unassign: endpoint("DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}", {
    needs: "interfaces.assign",
    scope: "servers:write",
    summary: "Unassign an interface from a member; existing configs on it stay",
    params: z.object({ userId: MemberName, interfaceId: Id }),
    refusals: assignmentRefusals,
  }),
  ofMember: endpoint("GET /admin/servers/interfaces/user/{userId}", {
    needs: "interfaces.see",
    scope: "servers:read",
    summary: "Interfaces assigned to a member",
    params: z.object({ userId: MemberName }),
    answer: z.array(Interface),
    refusals: ["member.not_found"],
  }),
  /** Beyond the specifications. */
  assigned: endpoint("GET /admin/servers/interfaces/{id}/users", {
    needs: "interfaces.see",
    scope: "servers:read",
    summary: "Members an interface is assigned to",
    query: z.object({ ...Page, as }),
    answer: z.array(Assignment),
    refusals: ["interface.not_found"],
  }),
};

export type TunnelAnswer = z.output<typeof Tunnel>;
export type ProbeAnswer = z.output<typeof Probe>;
export type InterfaceAnswer = z.output<typeof Interface>;
export type InterfaceChangeInput = z.output<typeof InterfaceChange>;
