import type { DeviceType } from "./config-rules.ts";
import type { Routing } from "./routing-rules.ts";

/** For all services of a phone config together, as listed: an address or a network counts as one. */
export const PHONE_ADDRESS_LIMIT = 120;

/** The part of a service that these rules look at. */
export interface RoutedService {
  deviceTypes: readonly ("all" | DeviceType)[];
  ips: readonly string[];
}

export function countAddresses(services: readonly Pick<RoutedService, "ips">[]): number {
  return services.reduce((count, service) => count + service.ips.length, 0);
}

export function fitsPhone(services: readonly Pick<RoutedService, "ips">[]): boolean {
  return countAddresses(services) <= PHONE_ADDRESS_LIMIT;
}

/** Whether a device's file can name these services. It names none if the server routes. */
export function fitsDevice(
  { deviceType, routing = "device" }: { deviceType: DeviceType; routing?: Routing | undefined },
  services: Parameters<typeof fitsPhone>[0],
): boolean {
  return deviceType !== "phone" || routing === "server" || fitsPhone(services);
}

/** The services offered for this kind of device. */
export function servicesFor<Service extends Pick<RoutedService, "deviceTypes">>(
  deviceType: DeviceType,
  services: readonly Service[],
): Service[] {
  return services.filter(({ deviceTypes }) => deviceTypes.includes("all") || deviceTypes.includes(deviceType));
}

/** Why `service` can't be added to the chosen ones, or null. Chosen services are never disabled: they must stay removable. */
export function whyServiceDisabled<Service extends RoutedService>(
  service: Service,
  chosen: readonly Service[],
  deviceType: DeviceType,
): "service.wrong_device" | "config.phone_limit" | null {
  if (chosen.includes(service)) return null;
  if (servicesFor(deviceType, [service]).length === 0) return "service.wrong_device";
  return deviceType === "phone" && !fitsPhone([...chosen, service]) ? "config.phone_limit" : null;
}
