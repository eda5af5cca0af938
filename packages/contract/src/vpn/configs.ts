import { ROUTINGS } from "@krug/domain/routing-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import {
  AsViewed,
  ClubMoment,
  FlagNumber,
  Id,
  Milliseconds,
  Named,
  TablePage,
  Time,
  TimeOrDay,
  twins,
} from "../fields.ts";
import { OneTimeLink } from "../members/members.ts";
import { DeviceType } from "./catalog.ts";
import { Diagnosis, DiagnosisQuery } from "./diagnosis.ts";
import { Tunnel } from "./interfaces.ts";

/** Bytes as the device sees them, over its whole life; lastHandshake in ms since 1970 or null. */
export const ConfigStats = z.object({
  lastHandshake: Milliseconds.nullable(),
  dataReceived: z.int().nonnegative(),
  dataSent: z.int().nonnegative(),
});

/** Bytes per second as the device sees them, between the last two readings of its server's counters. */
const Speed = z.object({ received: z.number().nonnegative(), sent: z.number().nonnegative() });

/** `speed`: null if this panel has not read the counters twice recently. */
const LiveStats = ConfigStats.extend({ speed: Speed.nullable() });

/** One device's VPN configuration, with the specification's twin spellings. */
export const Config = z.object({
  id: Id,
  userId: Id,
  name: z.string(),
  deviceType: DeviceType,
  device_type: DeviceType,
  createdAt: Time,
  created_at: Time,
  services: z.array(Id),
  dns: Id,
  interfaceId: Id,
  serverId: Id,
  serverName: z.string(),
  tunnel: Tunnel,
  /** Where the private key was made; the panel never has a key made in the browser. */
  keyOrigin: z.enum(["panel", "browser"]),
  /** An admin made it for the member, and its key has not been replaced since. */
  madeByStaff: z.boolean(),
  /** Blocked by staff together with its owner. */
  isBlocked: z.boolean(),
  /** Switched off because it was not seen or its end came, and how long its keys and address are kept at least; null if it is not. */
  dormant: z.object({ since: Time, keptUntil: Time }).nullable(),
  /** The club's day on which it is switched off at the earliest, as announced to its owner, unless it connects; null: none is planned. */
  dormantFrom: z.iso.date().nullable(),
  /** Until when it works, whether it was switched off for that, and whether staff set it: then only they change it. Null: no end. */
  ends: z.object({ at: ClubMoment, isOver: z.boolean(), byStaff: z.boolean() }).nullable(),
  /**
   * `applied`: on the wire. `pending`: should be there, not confirmed by the server yet. `off`: its owner is not entitled,
   * the config is blocked or dormant, or its interface is switched off.
   */
  state: z.enum(["applied", "pending", "off"]),
  /** When the server stopped answering, if that is why the state is pending. */
  pendingSince: Time.nullable(),
  /** When the server stopped answering, whatever the state; null while it answers. */
  serverAwaySince: Time.nullable(),
  /** The file on the device is older than the one the panel would give now. */
  needsDownload: z.boolean(),
  /**
   * The device is moving to another interface: it may use its former one until this time at most, or until it first connects at
   * the new one. Null if it is not moving.
   */
  moving: z.object({ until: Time, interfaceId: Id, interfaceName: z.string(), serverName: z.string() }).nullable(),
  /** Who decides what goes through the tunnel: the file, or the server by the services chosen now. */
  routing: z.enum(ROUTINGS),
  /** Other servers by which its traffic leaves that do not answer, and what happens meanwhile. `other`: it leaves by that one. */
  exitsDown: z.array(
    z.object({
      server: z.string(),
      /** Null: the way to it is still being made. */
      since: Time.nullable(),
      instead: z.enum(["wait", "direct", "other"]),
      other: z.string().nullable(),
    }),
  ),
  /** A phone config that a later edit of its services pushed over 120 addresses. */
  overPhoneLimit: z.boolean(),
  stats: ConfigStats,
  wireguardClient: z.object({
    last_handshake: Milliseconds.nullable(),
    data_received: z.int().nonnegative(),
    data_sent: z.int().nonnegative(),
  }),
});

/** What staff also see in the list of everyone's configs. */
const ConfigForStaff = z.object({
  owner: Named,
  interfaceName: z.string(),
  /** The address in the tunnel. */
  address: z.string(),
  addressV6: z.string().nullable(),
  /** Its address on the interface it is leaving; null if it is not moving. */
  movingFrom: z.object({ address: z.string(), addressV6: z.string().nullable() }).nullable(),
});

/** For admins: a config made by staff whose file nobody has, and when its link expires; null: it has no link. */
const HandOver = z.object({ linkUntil: Time.nullable() });

/** How staff filter and sort everyone's configs; no effect on your own. */
const ConfigView = {
  /**
   * online: last handshake at most five minutes ago. dormant: switched off because it was not seen. ended: switched off because its end came. stale: the file must be downloaded again. moving: not yet connected to its
   * new place.
   */
  filter: z
    .enum(["all", "online", "never", "blocked", "dormant", "ended", "stale", "moving", "pending"])
    .default("all"),
  interfaceId: Id.optional(),
  /** member: by the owner's username, then by name. */
  sort: z.enum(["member", "name", "createdAt", "lastHandshake", "traffic"]).default("member"),
  order: z.enum(["asc", "desc"]).default("asc"),
  ...AsViewed,
};

const Wish = {
  name: z.string().max(200),
  deviceType: DeviceType,
  services: z.array(Id).min(1).max(500),
  dns: Id,
  interfaceId: Id.optional(),
};

export const NewConfig = twins(
  z.strictObject({
    /** Must be the caller's id if given. */
    userId: Id.optional(),
    ...Wish,
    /** Given if the browser made the key; the panel then never has the private one. */
    publicKey: z.string().max(200).optional(),
  }),
  { device_type: "deviceType", user_id: "userId", interface_id: "interfaceId", public_key: "publicKey" },
);

export const AvailableInterface = z.object({
  id: Id,
  name: z.string(),
  isActive: z.boolean(),
  is_active: z.boolean(),
  /** Why it cannot be chosen; null if it can. */
  reason: z.enum(["inactive", "full", "server_unready", "server_closed"]).nullable(),
  serverId: Id,
  server_id: Id,
  serverName: z.string(),
  tunnel: Tunnel,
  /** As of a config. */
  routing: z.enum(ROUTINGS),
  /** `silent`: the server does not answer the panel. `busy`: the interface has few addresses left. */
  serverState: z.enum(["answers", "busy", "silent"]),
  /** ISO code of the country of the server's address, by local data; null for a name, or an unknown address. */
  serverCountry: z.string().nullable(),
  /** The one the member's template suggests, otherwise the least loaded one that can be chosen. */
  isPreferred: z.boolean(),
});

export const AvailableServer = z.object({
  id: Id,
  name: z.string(),
  isMain: z.boolean(),
  is_main: FlagNumber,
  isSetupComplete: z.boolean(),
  is_setup_complete: FlagNumber,
});

/** The file handed over by a link, with its private key. */
const HandedConfig = z.object({ name: z.string(), deviceType: DeviceType, tunnel: Tunnel, config: z.string() });

/** What keeps a member from a new config. */
const creationRefusals = [
  "telegram.not_linked",
  "member.blocked",
  "config.blocked",
  "quota.used_up",
  "subscription.inactive",
  "config.limit_reached",
  "config.name_invalid",
  "config.name_taken",
  "config.phone_limit",
  "request.idempotency_mismatch",
  "service.unknown",
  "service.wrong_device",
  "dns.unknown",
  "interface.unknown",
  "interface.not_available",
  "interface.inactive",
  "interface.full",
  "interface.none_available",
] as const;

const textRefusals = [
  "config.not_found",
  "config.key_in_browser",
  "config.routes_unknown",
  "config.secret_lost",
] as const;

/**
 * The text of a config whose key the browser made has an empty PrivateKey line for the browser to fill in. It comes once, in
 * the answer to the creation, key change or edit.
 */
const ConfigWithText = Config.extend({
  /** Only after a creation, key change or edit with a browser-made key: the file without its PrivateKey. */
  template: z.string().nullable(),
});

export const configs = {
  list: endpoint("GET /vpn/configs", {
    access: "member",
    scope: "configs:read",
    summary: "Your own configs; with scope=all everyone's, for elevated staff",
    query: z.object({ ...TablePage, scope: z.enum(["own", "all"]).default("own"), ...ConfigView }),
    answer: z.array(Config.extend({ staff: ConfigForStaff.optional() })),
    refusals: ["auth.two_factor_required"],
  }),
  create: endpoint("POST /vpn/configs", {
    access: "member",
    scope: "configs:write",
    summary: "Create a config for one device; an Idempotency-Key header makes a repeated request safe",
    body: NewConfig,
    answer: ConfigWithText,
    status: 201,
    creation: "inside",
    refusals: ["auth.not_yourself", "config.key_invalid", "config.key_taken", ...creationRefusals],
  }),
  /** Beyond the specifications, like the five calls below. */
  makeFor: endpoint("POST /users/{id}/configs", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary:
      "Create a config for a member, under the same rules, and a one-time link that hands it over within 24 h; an API token also needs configs:files for that; an Idempotency-Key header makes a repeated request safe",
    params: z.object({ id: z.string().min(1).max(64) }),
    body: twins(z.strictObject(Wish), { device_type: "deviceType", interface_id: "interfaceId" }),
    answer: z.object({ config: Config, ...OneTimeLink.shape }),
    status: 201,
    creation: "inside",
    refusals: ["member.not_found", "config.not_found", "config.handed_over", ...creationRefusals],
  }),
  move: endpoint("PUT /admin/configs/{id}/interface", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary:
      "Move a member's config to another interface that the member may use, and notify the member; its key stays. The old file works until the device connects with the new one, for at most 24 hours",
    body: z.strictObject({ interfaceId: Id }),
    answer: Config,
    refusals: [
      "config.not_found",
      "config.key_in_browser",
      "config.still_there",
      "config.secret_lost",
      "interface.unknown",
      "interface.not_available",
      "interface.inactive",
      "interface.full",
    ],
  }),
  block: endpoint("PUT /admin/configs/{id}/blocked", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary: "Take one device of a member off the wire, or let it back; its keys and address stay",
    body: z.strictObject({ isBlocked: z.boolean() }),
    answer: Config,
    refusals: ["config.not_found"],
  }),
  /** Beyond the specifications, like the one below. */
  reactivate: endpoint("POST /vpn/configs/{id}/reactivate", {
    access: "member",
    scope: "configs:write",
    summary:
      "Switch your device on again that was switched off because it was not seen, or because its end came; then it has no end. Its file stays the same. A device that is on stays as it is",
    answer: Config,
    refusals: ["config.not_found", "config.end_by_staff"],
  }),
  reactivateAny: endpoint("POST /admin/configs/{id}/reactivate", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary: "The same for a member's device",
    answer: Config,
    refusals: ["config.not_found"],
  }),
  end: endpoint("PUT /admin/configs/{id}/end", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary:
      "Set until when a member's device works, or null; then it is off and keeps its keys and address. Its owner cannot change what staff set. An end to come switches a device on again whose end had come",
    body: z.strictObject({ until: TimeOrDay.nullable() }),
    answer: Config,
    refusals: ["config.not_found", "config.end_in_past"],
  }),
  chooseServices: endpoint("PUT /admin/configs/{id}/services", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary: "Choose the services of a member's config whose server routes its traffic; its file stays as it is",
    body: z.strictObject({ services: z.array(Id).min(1).max(500) }),
    answer: Config,
    refusals: ["config.not_found", "config.not_routed", "service.unknown", "service.wrong_device"],
  }),
  renewLink: endpoint("POST /admin/configs/{id}/link", {
    needs: "configs.change_any",
    scope: "configs:files",
    summary:
      "A new one-time link to a config that staff created and whose file nobody has; the earlier link stops working",
    answer: OneTimeLink,
    creation: true,
    refusals: ["config.not_found", "config.handed_over", "config.owner_blocked"],
  }),
  revokeLink: endpoint("DELETE /admin/configs/{id}/link", {
    needs: "configs.change_any",
    scope: "configs:write",
    summary: "Revoke the one-time link to a config; without one it changes nothing",
    refusals: ["config.not_found"],
  }),
  openLink: endpoint("POST /vpn/open-link", {
    access: "public",
    summary: "Use up a one-time link and get the config that it hands over",
    body: z.strictObject({ token: z.string().max(200) }),
    answer: HandedConfig,
    refusals: ["auth.link_invalid", "config.secret_lost", "request.too_many"],
  }),
  /** The specification's config browser for one member: the id is the member's. */
  ofMember: endpoint("GET /vpn/configs/{id}", {
    access: "member",
    scope: "configs:read",
    summary: "A member's configs: your own, or for elevated staff anyone's, with the details staff see",
    params: z.object({ id: z.string().min(1).max(64) }),
    answer: z.array(Config.extend({ handOver: HandOver.nullable().optional(), staff: ConfigForStaff.optional() })),
    refusals: ["member.not_found", "auth.not_yourself", "auth.two_factor_required"],
  }),
  remove: endpoint("DELETE /vpn/configs/{id}", {
    access: "member",
    scope: "configs:write",
    summary: "Delete a config: its peer goes at once; deleting your own again gives the same answer",
    refusals: ["config.not_found", "auth.two_factor_required"],
  }),
  /** Beyond the specifications. */
  removeMany: endpoint("POST /admin/configs/delete", {
    needs: "configs.delete_any",
    scope: "configs:write",
    summary: "Delete many configs at once and notify their owners. Configs already gone are skipped",
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    answer: z.object({ deleted: z.array(Id) }),
  }),
  restore: endpoint("POST /vpn/configs/{id}/restore", {
    access: "member",
    scope: "configs:write",
    summary:
      "Bring your own config back within 60 s of deleting it, with the same keys and address, unless a new config had to take the address",
    answer: Config,
    refusals: [
      "config.not_found",
      "config.restore_too_late",
      "config.address_given",
      "config.interface_gone",
      "config.deleted_by_staff",
      "config.limit_reached",
      "config.name_taken",
    ],
  }),
  replaceKey: endpoint("POST /vpn/configs/{id}/key", {
    access: "member",
    scope: "configs:write",
    summary:
      "New keys for a lost device's config, same name and address; the old key stops working at once. An Idempotency-Key header makes a repeated request safe",
    body: twins(z.strictObject({ publicKey: z.string().max(200).optional() }), { public_key: "publicKey" }).optional(),
    answer: ConfigWithText,
    creation: true,
    refusals: [
      "config.not_found",
      "config.key_invalid",
      "config.key_taken",
      "config.routes_unknown",
      "request.idempotency_mismatch",
    ],
  }),
  /** Beyond the specifications. */
  change: endpoint("PUT /vpn/configs/{id}", {
    access: "member",
    scope: "configs:write",
    summary:
      "Rename your own config, or change its services, DNS entry, interface, or until when it works; its key stays. If the file changes and a browser made its key, the answer has the file without the key. On another interface the config gets another address; the old file works until the device connects with the new one, for at most 24 hours",
    body: z.strictObject({
      name: z.string().max(200).optional(),
      services: z.array(Id).min(1).max(500).optional(),
      dns: Id.optional(),
      interfaceId: Id.optional(),
      until: TimeOrDay.nullable().optional(),
    }),
    answer: ConfigWithText,
    refusals: [
      "config.not_found",
      "config.name_invalid",
      "config.name_taken",
      "config.end_in_past",
      "config.end_by_staff",
      "config.phone_limit",
      "config.routes_unknown",
      "config.still_there",
      "config.secret_lost",
      "service.unknown",
      "service.wrong_device",
      "dns.unknown",
      "interface.unknown",
      "interface.not_available",
      "interface.inactive",
      "interface.full",
    ],
  }),
  download: endpoint("GET /vpn/configs/{id}/download", {
    access: "member",
    scope: "configs:files",
    summary: "The config as a wg-quick file",
    answer: { media: "application/octet-stream" },
    refusals: textRefusals,
  }),
  qrcode: endpoint("GET /vpn/configs/{id}/qrcode", {
    access: "member",
    scope: "configs:files",
    summary: "The config's text for a QR code",
    answer: z.object({ config: z.string(), name: z.string() }),
    refusals: textRefusals,
  }),
  /** Beyond the specifications. */
  link: endpoint("GET /vpn/configs/{id}/link", {
    access: "member",
    scope: "configs:files",
    summary: "The config as the link that AmneziaVPN accepts; only for AmneziaWG interfaces",
    answer: z.object({ link: z.string(), name: z.string() }),
    refusals: [...textRefusals, "config.no_link"],
  }),
  stats: endpoint("GET /vpn/configs/{id}/stats", {
    access: "member",
    scope: "configs:read",
    summary: "Last handshake, bytes and speed of your own config",
    answer: LiveStats,
    refusals: ["config.not_found"],
  }),
  ownStats: endpoint("GET /vpn/stats", {
    access: "member",
    scope: "configs:read",
    summary: "Last handshake, bytes and speed of all your own configs, at most five seconds old if the server answers",
    answer: z.array(LiveStats.extend({ id: Id, serverAwaySince: Time.nullable() })),
  }),
  /** Beyond the specifications. */
  staffStats: endpoint("GET /admin/configs/{id}/stats", {
    needs: "configs.see_all",
    scope: "configs:read",
    summary: "Last handshake, bytes and speed of anyone's config",
    query: z.object(AsViewed),
    answer: LiveStats,
    refusals: ["config.not_found"],
  }),
  statsByConfig: endpoint("GET /vpn/stats/{id}", {
    access: "member",
    scope: "configs:read",
    summary: "The same as /vpn/configs/{id}/stats",
    answer: LiveStats,
    refusals: ["config.not_found"],
  }),
  /** Beyond the specifications. */
  staffDiagnosis: endpoint("GET /admin/configs/{id}/diagnosis", {
    needs: "configs.see_all",
    scope: "configs:read",
    summary: "What the member would now see about why this config may not work, except the clock of their device",
    query: z.object(AsViewed),
    answer: Diagnosis,
    refusals: ["config.not_found"],
  }),
  diagnosis: endpoint("GET /vpn/configs/{id}/diagnosis", {
    access: "member",
    scope: "configs:read",
    summary: "Why your own config may not work, as far as the club can see",
    query: DiagnosisQuery,
    answer: Diagnosis,
    refusals: ["config.not_found"],
  }),
  availableServers: endpoint("GET /vpn/available-servers", {
    access: "member",
    scope: "configs:read",
    summary: "Servers on which you may create configs",
    query: z.object({ userId: z.string().max(64).optional() }),
    answer: z.array(AvailableServer),
    refusals: ["auth.not_yourself", "auth.two_factor_required", "member.not_found"],
  }),
  availableInterfaces: endpoint("GET /vpn/available-interfaces", {
    access: "member",
    scope: "configs:read",
    summary:
      "Interfaces on which you, or for elevated staff another member, may create configs; unusable ones come with the reason",
    query: z.object({ userId: z.string().max(64).optional() }),
    answer: z.array(AvailableInterface),
    refusals: ["auth.not_yourself", "auth.two_factor_required", "member.not_found"],
  }),
  /** Beyond the specifications. */
  suggestedServices: endpoint("GET /vpn/suggested-services", {
    access: "member",
    scope: "configs:read",
    summary:
      "Services of the template that you, or for elevated staff another member, started with: only a preselection for new configs",
    query: z.object({ userId: z.string().max(64).optional() }),
    answer: z.array(Id),
    refusals: ["auth.not_yourself", "auth.two_factor_required", "member.not_found"],
  }),
};

export type ConfigAnswer = z.output<typeof Config>;
export type ConfigWithTextAnswer = z.output<typeof ConfigWithText>;
export type ConfigStatsAnswer = z.output<typeof ConfigStats>;
export type LiveStatsAnswer = z.output<typeof LiveStats>;
export type SpeedAnswer = z.output<typeof Speed>;
export type ConfigChangeInput = z.output<typeof configs.change.body>;
export type NewConfigInput = z.output<typeof NewConfig>;
export type HandedConfigAnswer = z.output<typeof HandedConfig>;
export type AvailableInterfaceAnswer = z.output<typeof AvailableInterface>;
export type AvailableServerAnswer = z.output<typeof AvailableServer>;
