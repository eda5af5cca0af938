import type { AccessCheckAnswer, PlaceCheckAnswer } from "@krug/contract/vpn/access-rules";
import { type AccessRule, CLOSED_TCP_PORTS, type Closures, passage } from "@krug/domain/access-rules";
import type { Entitlement } from "@krug/domain/entitlement";
import { isoOf } from "@krug/domain/moment";
import { exitFor, isOwnExit } from "@krug/domain/routing-rules";
import { accessTargetForPeople, parseAccessTarget } from "@krug/wireguard/access-target";
import { canonicalAddress, covers, readAddress, requireCidr } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { parseEndpoint } from "@krug/wireguard/endpoint";
import { refuse } from "../../../platform/refusal.ts";
import type { Place } from "../interfaces/index.ts";
import { networksOf } from "./desired.ts";
import { groupsOf } from "./groups-of.ts";
import { addressesOf, afterAsking } from "./names.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { RuleRow } from "./table.ts";

type Closed = Closures<NonNullable<PlaceCheckAnswer["closedBecause"]>>;
type Device = Awaited<ReturnType<AccessRuleParts["configs"]["ofMember"]>>[number];
type RuleInForce = AccessRule & { row: RuleRow };

/** More devices than anyone has; an unlimited member's others do not change the answer. */
const MOST_DEVICES = 500;

const NO_LINK = { server: null, link: null, downSince: null, instead: null, other: null };

/** An address or domain, optionally with ':port'. */
function readPlace(typed: string) {
  const endpoint = parseEndpoint(typed.trim());
  const target = parseAccessTarget(endpoint?.host ?? typed) ?? refuse("rule.target_invalid", { field: "target" });
  if (target.text.includes("/")) refuse("rule.check_network", { field: "target" });
  return { target, tcpPort: endpoint?.port ?? null };
}

/** What blocks the whole tunnel. */
function obstacleOf(entitlement: Entitlement | undefined, devices: readonly Device[]): AccessCheckAnswer["obstacle"] {
  if (entitlement === undefined || !entitlement.allowed) {
    const reason = entitlement?.reason;
    return reason === "blocked" || reason === "quota" || reason === "expired" ? reason : "none";
  }
  if (devices.length === 0) return "no_devices";
  if (devices.every(({ state }) => state === "off")) return "devices_off";
  return devices.some(({ state }) => state === "applied") ? null : "not_applied";
}

/** Whether this member would reach this place, by the same rules as the servers', read from the database. */
export function makeAccessCheck(parts: AccessRuleParts) {
  const { db, clock, names, members, groups, interfaces, catalog, configs } = parts;

  const rulesFor = async (memberId: string): Promise<RuleInForce[]> => {
    const naming = new Set(await repository.rulesNaming(db, memberId));
    const known = new Map((await repository.names(db)).map((row) => [row.name, row]));
    return (await repository.all(db)).map((row) => ({
      row,
      type: row.type,
      appliesTo: row.applies_to === "all" ? "all" : new Set(naming.has(row.id) ? [memberId] : []),
      ranges: networksOf(row, known).map(requireCidr),
    }));
  };

  /** Addresses that all servers of these devices have: for devices elsewhere they are places on the internet. */
  const ownAddresses = (devices: readonly Device[], places: ReadonlyMap<string, Place>): string[] => {
    const servers = new Set(devices.flatMap(({ interfaceId }) => places.get(interfaceId)?.server ?? []));
    const [first = [], ...others] = [...new Map([...servers].map((server) => [server.id, server])).values()].map(
      ({ endpoint, default_endpoint, ssh_host }) =>
        [endpoint, default_endpoint, ssh_host].flatMap((host) => (host && canonicalAddress(host)) ?? []),
    );
    return first.filter((address) => others.every((addresses) => addresses.includes(address)));
  };

  const closures = async (own: readonly string[]): Promise<Closed> => {
    const subnets = (await interfaces.all(db)).flatMap(({ subnet, subnet_v6 }) => [subnet, subnet_v6 ?? []].flat());
    return {
      networks: [
        ...subnets.map((cidr) => ({ ...requireCidr(cidr), why: "members" as const })),
        ...CLOSED_NETWORKS.map(({ cidr, because }) => ({ ...requireCidr(cidr), why: because })),
      ],
      tcpPorts: CLOSED_TCP_PORTS,
      ownServer: {
        addresses: own.map(requireCidr),
        // Only the machine knows whether a program answers DNS there.
        openTcpPorts: [53, ...parts.openPorts().flatMap(({ protocol, port }) => (protocol === "tcp" ? [port] : []))],
      },
    };
  };

  /** The target's current addresses, or else the last known ones. */
  const addressesFor = async ({ kind, text }: { kind: "network" | "name"; text: string }) => {
    if (kind === "network") return { addresses: [text], failure: null };
    const [before] = await repository.namesAmong(db, [text]);
    const row = afterAsking(before ?? null, text, await names.find(text), clock.now().getTime());
    return { addresses: addressesOf(row), failure: row.failure };
  };

  /** Names of devices that route these addresses past the tunnel. */
  const besideTunnel = async (devices: readonly Device[], addresses: readonly string[]): Promise<string[]> => {
    const services = new Map((await catalog.services(db)).map((service) => [service.id, service.ips]));
    const resolvers = new Map((await catalog.dns(db)).map((entry) => [entry.id, entry.ips]));
    return (
      devices
        // The routes of a device without services are unknown: it was imported with its own settings.
        .filter(({ state, services, routing }) => state !== "off" && services.length > 0 && routing === "device")
        .filter((device) => {
          const routed = [
            ...device.services.flatMap((id) => services.get(id) ?? []),
            ...(resolvers.get(device.dns) ?? []),
          ];
          return addresses.some((address) => !covers(routed, address));
        })
        .map(({ name }) => name)
    );
  };

  /** By which exit each address leaves from each device whose server routes. */
  const exitsOf = async (
    devices: readonly Device[],
    addresses: readonly string[],
    placeOf: ReadonlyMap<string, Place>,
    name: string | null,
  ): Promise<AccessCheckAnswer["exits"]> => {
    const services = await catalog.services(db);
    const domains = name === null ? new Map<string, string[]>() : await parts.sources.domains(db);
    /** Servers that resolve names themselves go by them, whatever addresses they have now. */
    const isNamed = ({ id, allBut }: (typeof services)[number]) =>
      !allBut && (domains.get(id) ?? []).some((domain) => name === domain || name?.endsWith(`.${domain}`));
    const now = await parts.exits.now(db);
    return devices.flatMap((device) => {
      const place = placeOf.get(device.interfaceId);
      if (place?.interface.routing !== "server") return [];
      const chosen = services.filter(({ id }) => device.services.includes(id));
      const includes =
        ({ server }: Place, address: string) =>
        (service: (typeof services)[number]) =>
          covers(service.ips, address) || (server.names_failure === null && isNamed(service));
      return addresses.map((address) => {
        const { service, exit } = exitFor(chosen, place.interface.rest_exit, includes(place, address));
        const found = { device: device.name, address, service: service?.name ?? null };
        if (isOwnExit(exit)) return { ...found, exit, ...NO_LINK };
        if (exit === place.server.id) return { ...found, exit: "direct" as const, ...NO_LINK };
        const { state, since } = now.link(place.server.id, exit);
        const [down] = now.downAmong(place.server.id, [exit], place.interface.exit_down);
        const { instead, other } = down ?? NO_LINK;
        const link = { server: now.name(exit), link: state, downSince: isoOf(since), instead, other };
        return { ...found, exit: "server" as const, ...link };
      });
    });
  };

  return async (idOrUsername: string, typed: string, withVip: boolean): Promise<AccessCheckAnswer> => {
    const { target, tcpPort } = readPlace(typed);
    const member = await members.findByIdOrUsername(db, idOrUsername);
    if (member === undefined || (member.is_vip === 1 && !withVip)) return refuse("member.not_found");
    const entitlement = (await members.entitlements(db, [member.id])).get(member.id);
    const devices = await configs.ofMember(member.id, MOST_DEVICES);
    const obstacle = obstacleOf(entitlement, devices);
    const { addresses, failure } = await addressesFor(target);
    const rules = await rulesFor(member.id);
    const placeOf = await interfaces.places(db);
    const groupOf = await groupsOf(
      groups,
      db,
      rules.map(({ row }) => row),
    );
    const closed = await closures(ownAddresses(devices, placeOf));
    const hasV6 = devices.some((device) => placeOf.get(device.interfaceId)?.interface.subnet_v6 != null);

    const live = devices.filter(({ state }) => state !== "off");
    const exits = await exitsOf(live, addresses, placeOf, target.kind === "name" ? target.text : null);
    /** Why it leaves the server from no device. */
    const shutBy = (text: string): "routing" | "exit_down" | null => {
      const shut = exits.filter((way) => way.address === text && (way.exit === "closed" || way.instead === "wait"));
      if (live.length === 0 || shut.length < live.length) return null;
      return shut.every(({ exit }) => exit === "closed") ? "routing" : "exit_down";
    };

    const places = addresses.map((text): PlaceCheckAnswer => {
      const address = readAddress(text);
      if (address === null) throw new Error("an address that was canonical is none");
      const found = passage(member.id, { address, tcpPort }, rules, closed);
      if (found.open && address.family === 6 && !hasV6)
        return { address: text, open: false, by: "no_ipv6", closedBecause: null, rule: null };
      const shut = shutBy(text);
      if (found.open && shut !== null) return { address: text, open: false, by: shut, closedBecause: null, rule: null };
      return {
        address: text,
        open: found.open,
        by: found.by,
        closedBecause: found.by === "closed" ? found.why : null,
        rule: "rule" in found ? { ...toldOf(found.rule.row), group: groupOf(found.rule.row) } : null,
      };
    });
    const openCount = obstacle === null ? places.filter(({ open }) => open).length : 0;
    return {
      member: { id: member.id, username: member.username, displayName: member.display_name },
      target: accessTargetForPeople(target) + (tcpPort === null ? "" : `:${tcpPort}`),
      verdict: openCount === 0 ? "closed" : openCount < places.length ? "partly" : "reaches",
      obstacle,
      failure,
      places,
      beside: await besideTunnel(devices, addresses),
      exits,
    };
  };
}

const toldOf = ({ id, type, kind, target, applies_to }: RuleRow) => ({
  id,
  type,
  target: accessTargetForPeople({ kind, text: target }),
  appliesTo: applies_to,
});
