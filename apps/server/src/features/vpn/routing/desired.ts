import { type Exit, inOrderOfExits } from "@krug/domain/routing-rules";
import { minimalCidrs } from "@krug/wireguard/addresses";
import type { DesiredRouting } from "../../../hosts/host.ts";
import { groupBy } from "../../../platform/group-by.ts";

/** A device on an interface whose server routes. */
export interface RoutedDevice {
  /** Bare addresses in the tunnel. */
  sources: readonly string[];
  serviceIds: readonly string[];
  resolvers: readonly string[];
  /** Of its interface. */
  rest: Exit;
}

interface RoutedService {
  id: string;
  ips: readonly string[];
  exit: Exit;
}

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
): DesiredRouting {
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
      networks: networksOf(some[0]?.resolvers ?? []),
      onlyDns: true as const,
      exit: "direct" as const,
    })),
    ...inOrderOfExits(services).map(({ id, ips, exit }) => ({
      sources: sourcesOf(choosers.get(id) ?? []),
      networks: networksOf(ips),
      exit,
    })),
    // What no rule names is closed.
    { sources: sourcesOf(devices.filter(({ rest }) => rest === "direct")), networks: null, exit: "direct" as const },
  ];
  return { interfaces: [...interfaces], rules: rules.filter(({ sources }) => sources.length > 0) };
}

const sourcesOf = (devices: readonly RoutedDevice[]) => devices.flatMap(({ sources }) => sources).sort();
