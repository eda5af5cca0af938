import { type Exit, type ExitDown, inOrderOfExits } from "@krug/domain/routing-rules";
import { formatCidr, minimalCidrs, requireCidr } from "@krug/wireguard/addresses";
import type { DesiredRouting } from "../../../hosts/host.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { ExitsOf } from "../exits/index.ts";

/** A device on an interface whose server routes. */
export interface RoutedDevice {
  /** Bare addresses in the tunnel. */
  sources: readonly string[];
  serviceIds: readonly string[];
  resolvers: readonly string[];
  /** Of its interface, both. */
  rest: Exit;
  whenDown: ExitDown;
}

interface RoutedService {
  id: string;
  ips: readonly string[];
  exit: Exit;
  /** It is the addresses of these names and those below them too. */
  domains: readonly string[];
}

/** Of its sets in the firewall: short, since a line of a resolver's config names many. */
const keyOf = (id: string) => id.replaceAll("-", "").slice(0, 12);

/**
 * Merging thousands of networks takes a while, and the catalogue keeps an entry's list while it does not change. Sets of a
 * machine's firewall take no network twice.
 */
const merged = new WeakMap<readonly string[], string[]>();
function networksOf(ips: readonly string[]): string[] {
  const networks = merged.get(ips) ?? minimalCidrs(ips);
  merged.set(ips, networks);
  return networks;
}

/**
 * What each device's services mean for its server, in the order that decides: its resolver for names, then services that are
 * closed, then the others as the catalogue lists them, then everything else (decisions, section 16).
 */
export function routingBy(
  interfaces: readonly string[],
  devices: readonly RoutedDevice[],
  services: readonly RoutedService[],
  exits: ExitsOf,
): DesiredRouting {
  /** One rule for those whose interfaces choose alike while the exit does not answer. */
  const leaving = (some: readonly RoutedDevice[], exitOf: (device: RoutedDevice) => Exit, networks: string[] | null) =>
    [...groupBy(some, (device) => exits.resolve(exitOf(device), device.whenDown))].map(([exit, those]) => ({
      sources: sourcesOf(those),
      networks,
      exit,
    }));
  const choosers = new Map<string, RoutedDevice[]>();
  for (const device of devices)
    for (const id of device.serviceIds) {
      const known = choosers.get(id);
      if (known === undefined) choosers.set(id, [device]);
      else known.push(device);
    }
  const rules = [
    ...[...groupBy(devices, ({ resolvers }) => resolvers.join(" ")).values()].map((some) => ({
      sources: sourcesOf(some),
      // Not merged: each is asked by itself.
      networks: hostsOf(some[0]?.resolvers ?? []),
      onlyDns: true as const,
      exit: "direct" as const,
    })),
    ...inOrderOfExits(services).flatMap(({ id, ips, exit, domains }) =>
      leaving(choosers.get(id) ?? [], () => exit, networksOf(ips)).map((rule) => ({
        ...rule,
        ...(domains.length > 0 && { names: { key: keyOf(id), domains: [...domains] } }),
      })),
    ),
    // What no rule names is closed.
    ...leaving(devices, ({ rest }) => rest, null).filter(({ exit }) => exit !== "closed"),
  ];
  return {
    interfaces: [...interfaces],
    rules: rules.filter(({ sources }) => sources.length > 0),
    ...(exits.links.length > 0 && { links: exits.links }),
  };
}

const hostsOf = (addresses: readonly string[]) => [
  ...new Set(addresses.map((address) => formatCidr(requireCidr(address)))),
];
const sourcesOf = (devices: readonly RoutedDevice[]) => devices.flatMap(({ sources }) => sources).sort();
