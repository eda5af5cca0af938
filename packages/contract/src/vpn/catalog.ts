import { MOST_LETTERS, MOST_NETWORKS, MOST_RESOLVERS, MOST_TYPED } from "@krug/domain/catalog-rules";
import { EXITS } from "@krug/domain/routing-rules";
import { GROUP_NAMES, MOST_PICTURE, MOST_SENTENCE, SERVICE_PICTURE } from "@krug/domain/service-groups";
import { MOST_SOURCE_LETTERS, MOST_SOURCES } from "@krug/domain/source-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, Id, line, twins } from "../fields.ts";

export const DeviceType = z.enum(["computer", "phone"]);
export const ServiceDevice = z.enum(["all", "computer", "phone"]);

const listOf = (most: number) => z.array(z.string().max(64)).min(1).max(most);
/** Addresses or CIDRs as entered, in order; more than a service can have may merge to few enough. */
const Ips = listOf(MOST_TYPED.service);
/** The new values, and what the editor saw. */
const MOST_VALUES = MOST_TYPED.service + MOST_NETWORKS;
const ROOM_FOR_IPS = { bodyLimit: MOST_VALUES * 72, bodyValues: MOST_VALUES + 100 };
/** A list as people have it, comments and all, instead of `ips`: the panel reads the addresses from it, and keeps the text for later edits. */
const Typed = z.string().max(MOST_LETTERS);
/** The service is every address but those of `typed`. Without `typed` there is nothing to leave out. */
const AllBut = Flag.optional();
/** https addresses of lists, AS numbers, countries, whose networks belong to the service besides `ips` or `typed`. */
const Sources = z.array(z.string().max(MOST_SOURCE_LETTERS)).max(MOST_SOURCES);
/** They decide from then on what members' files contain. */
const TRUST = { sources: true } as const;
const ROOM_FOR_TYPED = { ...ROOM_FOR_IPS, bodyLimit: ROOM_FOR_IPS.bodyLimit + MOST_LETTERS * 3 };

/** How members tell it from others. */
const Look = {
  /** An emoji or a letter; empty: the name's first letter. */
  picture: z.string().max(MOST_PICTURE).regex(SERVICE_PICTURE),
  /** A sentence; may be empty. */
  description: line(MOST_SENTENCE, 0),
  group: z.enum(GROUP_NAMES),
};
const LookWish = {
  picture: Look.picture.optional(),
  description: Look.description.optional(),
  group: Look.group.optional(),
};

/** By which a service leaves servers that route: `direct`, `closed`, or another server of the club, by its id. */
const ServiceExit = z.union([z.enum(EXITS), Id]);

export const Service = z.object({
  id: Id,
  name: z.string(),
  ips: z.array(z.string()),
  deviceTypes: z.array(ServiceDevice),
  /** Beyond the specifications: `ips` is everything but the list that was typed. */
  allBut: z.boolean(),
  /** Beyond the specifications, all three. */
  ...Look,
  /** Beyond the specifications, like `allBut`. */
  exit: ServiceExit,
});

export const DnsEntry = z.object({ id: Id, name: z.string(), ips: z.array(z.string()) });

const NewService = twins(
  z.strictObject({
    name: line(64),
    ips: Ips.optional(),
    typed: Typed.optional(),
    allBut: AllBut,
    sources: Sources.optional(),
    deviceTypes: z.array(ServiceDevice).max(3).default(["all"]),
    ...LookWish,
    /** The ticket of a member who asked for it and is then notified. */
    ticketId: Id.optional(),
    exit: ServiceExit.optional(),
  }),
  { device_types: "deviceTypes" },
);
const ServiceChange = twins(
  z.strictObject({
    name: line(64).optional(),
    ips: Ips.optional(),
    typed: Typed.optional(),
    allBut: AllBut,
    sources: Sources.optional(),
    deviceTypes: z.array(ServiceDevice).max(3).optional(),
    ...LookWish,
    exit: ServiceExit.optional(),
    /** The values the editor saw in the fields being changed: if one differs now, nothing changes. */
    expected: z
      .strictObject({
        name: z.string().max(64),
        ips: z.array(z.string().max(64)).max(MOST_NETWORKS),
        /** The `mark` that came with the text. */
        typed: z.string().max(64),
        sources: Sources,
        deviceTypes: z.array(ServiceDevice).max(3),
        ...Look,
        exit: ServiceExit,
      })
      .partial()
      .optional(),
  }),
  { device_types: "deviceTypes" },
);
const NewDnsEntry = z.strictObject({ name: line(64), ips: listOf(MOST_TYPED.dns) });
const DnsChange = NewDnsEntry.partial().extend({
  /** As for a service. */
  expected: z
    .strictObject({ name: z.string().max(64), ips: z.array(z.string().max(64)).max(MOST_RESOLVERS) })
    .partial()
    .optional(),
});
/** How many configs use an entry, including just-deleted ones that can still be brought back. */
const Use = z.object({ id: Id, configs: z.int().nonnegative() });
export const catalog = {
  services: endpoint("GET /services", {
    access: "member",
    scope: "catalog:read",
    summary: "Services whose traffic can be routed through the VPN, in order",
    answer: z.array(Service),
  }),
  addService: endpoint("POST /services", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Add a service",
    body: NewService,
    trust: TRUST,
    ...ROOM_FOR_TYPED,
    answer: Service,
    status: 201,
    creation: true,
    refusals: [
      "service.name_taken",
      "service.changed_meanwhile",
      "source.failed",
      "exit.not_found",
      "exit.cannot_route",
    ],
  }),
  changeService: endpoint("PUT /services/{id}", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Change a service; configs it touches are marked for a new download",
    body: ServiceChange,
    trust: TRUST,
    ...ROOM_FOR_TYPED,
    answer: Service,
    refusals: [
      "service.not_found",
      "service.name_taken",
      "service.changed_meanwhile",
      "source.failed",
      "exit.not_found",
      "exit.cannot_route",
    ],
  }),
  /** Beyond the specifications. */
  serviceTyped: endpoint("GET /services/{id}/typed", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "A service's list as it was typed, or its addresses if a program set them",
    answer: z.object({
      text: z.string(),
      allBut: z.boolean(),
      /** Where its other networks come from. */
      sources: z.array(z.string()),
      /** For `expected.typed`. */
      mark: z.string(),
    }),
    refusals: ["service.not_found"],
  }),
  removeService: endpoint("DELETE /services/{id}", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Delete a service that no config uses",
    refusals: ["service.not_found", "service.in_use"],
  }),
  dns: endpoint("GET /dns", {
    access: "member",
    scope: "catalog:read",
    summary: "DNS entries, in order",
    answer: z.array(DnsEntry),
  }),
  addDns: endpoint("POST /dns", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Add a DNS entry",
    body: NewDnsEntry,
    answer: DnsEntry,
    status: 201,
    creation: true,
    refusals: ["dns.name_taken"],
  }),
  changeDns: endpoint("PUT /dns/{id}", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Change a DNS entry; configs it touches are marked for a new download",
    body: DnsChange,
    answer: DnsEntry,
    refusals: ["dns.not_found", "dns.name_taken", "dns.changed_meanwhile"],
  }),
  removeDns: endpoint("DELETE /dns/{id}", {
    needs: "catalog.change",
    scope: "catalog:write",
    summary: "Delete a DNS entry that no config uses",
    refusals: ["dns.not_found", "dns.in_use"],
  }),
  /** Beyond the specifications: the form says what an edit affects before it is saved (decisions, section 6). */
  usage: endpoint("GET /admin/catalog/usage", {
    needs: "configs.see_all",
    scope: "catalog:read",
    summary: "How many configs use each service and DNS entry; unused ones are absent",
    query: z.object({ as: z.literal("moderator").optional() }),
    answer: z.object({ services: z.array(Use), dns: z.array(Use) }),
  }),
  /** Beyond the specifications: a service that is made to fit a phone takes none of these in by the way. */
  ownNetworks: endpoint("GET /admin/catalog/own-networks", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "Networks of the club's interfaces and addresses of their endpoints",
    answer: z.array(z.string()),
  }),
  /** Beyond the specifications. */
  serviceEffect: endpoint("POST /services/{id}/effect", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "What giving the service these addresses would affect; changes nothing",
    /** As in a change; the service's sources count as they stand. */
    body: z.strictObject({ ips: Ips.optional(), typed: Typed.optional(), allBut: AllBut }),
    ...ROOM_FOR_TYPED,
    answer: z.object({
      /** Files on devices that would become outdated. */
      toDownload: z.int().nonnegative(),
      /** Phone configs that would exceed the address limit. */
      phonesOver: z.int().nonnegative(),
    }),
    refusals: ["service.not_found"],
  }),
  /** Beyond the specifications. */
  dnsEffect: endpoint("POST /dns/{id}/effect", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "What giving the DNS entry these addresses would affect; changes nothing",
    body: NewDnsEntry.pick({ ips: true }),
    answer: z.object({ toDownload: z.int().nonnegative() }),
    refusals: ["dns.not_found"],
  }),
};

export type ServiceAnswer = z.output<typeof Service>;
export type DnsAnswer = z.output<typeof DnsEntry>;
export type NewServiceInput = z.output<typeof NewService>;
export type ServiceChangeInput = z.output<typeof ServiceChange>;
export type NewDnsInput = z.output<typeof NewDnsEntry>;
export type DnsChangeInput = z.output<typeof DnsChange>;
