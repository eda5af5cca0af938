import type { Api } from "@krug/contract/api";
import { CLIENTS, type System, thisSystem } from "./clients.ts";
import type { Config } from "./queries.ts";

type DeviceType = Config["deviceType"];

const NAMES: Record<System, string> = { ios: "iphone", android: "android", windows: "windows", macos: "mac" };

/** The kind of device that this page is open on. */
export function thisDevice(userAgent = navigator.userAgent): DeviceType {
  const here = thisSystem(userAgent);
  const isPhone = here ? CLIENTS[here].phone : window.matchMedia?.("(pointer: coarse)").matches;
  return isPhone ? "phone" : "computer";
}

/** A name that says what the device is: its system if it is this one, and a number if the name is taken. */
export function suggestedName(
  deviceType: DeviceType,
  taken: readonly string[] = [],
  userAgent = navigator.userAgent,
): string {
  const base = nameOf(deviceType, userAgent);
  let name = base;
  for (let n = 2; taken.includes(name); n++) name = `${base}-${n}`;
  return name;
}

function nameOf(deviceType: DeviceType, userAgent: string): string {
  if (thisDevice(userAgent) !== deviceType) return deviceType;
  const here = thisSystem(userAgent);
  if (here === "ios" && !/iphone|ipod/i.test(userAgent)) return "ipad";
  if (here !== null) return NAMES[here];
  return deviceType === "computer" && /linux/i.test(userAgent) ? "linux" : deviceType;
}

/** The service that routes everything through the VPN; undefined if the club has none for this kind of device. */
export const allTraffic = (services: Api["GET /services"]["answer"], deviceType: DeviceType) =>
  services.find(
    ({ ips, deviceTypes }) =>
      ips.includes("0.0.0.0/0") && (deviceTypes.includes("all") || deviceTypes.includes(deviceType)),
  );
