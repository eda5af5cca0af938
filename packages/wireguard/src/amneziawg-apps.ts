import type { AmneziaVersion } from "./amneziawg.ts";

export type AppPlatform = "android" | "ios" | "macos" | "windows" | "linux" | "router";

/** An app that speaks AmneziaWG, as of autumn 2026. */
export interface AmneziaApp {
  name: string;
  platforms: readonly AppPlatform[];
  /** The first app version for each protocol version; a protocol version that is missing is not supported. */
  since: Readonly<Partial<Record<AmneziaVersion, string>>>;
  /** What it imports: a file, the file's QR code, or AmneziaVPN's link. */
  takes: readonly ("file" | "qr" | "link")[];
  /** Its download page; null if it comes with the device. */
  page: string | null;
}

export const AMNEZIA_APPS: readonly AmneziaApp[] = [
  {
    name: "AmneziaWG",
    platforms: ["android"],
    since: { "2.0": "2.0.0", "3.1": "3.1.20260814" },
    takes: ["file", "qr"],
    page: "https://play.google.com/store/apps/details?id=org.amnezia.awg",
  },
  {
    name: "AmneziaWG",
    platforms: ["ios"],
    since: { "2.0": "2.0.0", "3.1": "3.1.3" },
    takes: ["file", "qr"],
    page: "https://apps.apple.com/app/id6478942365",
  },
  {
    name: "AmneziaWG",
    platforms: ["macos"],
    since: { "2.0": "2.0.0", "3.1": "3.1.3" },
    takes: ["file"],
    page: "https://apps.apple.com/app/id6478942365",
  },
  {
    name: "AmneziaWG",
    platforms: ["windows"],
    since: { "2.0": "2.0.0", "3.1": "3.1.0" },
    takes: ["file"],
    page: "https://github.com/amnezia-vpn/amneziawg-windows-client/releases",
  },
  {
    name: "AmneziaVPN",
    platforms: ["android", "ios", "macos", "windows", "linux"],
    since: { "2.0": "4.8.12.9", "3.1": "5.0.1.5" },
    takes: ["file", "qr", "link"],
    page: "https://amnezia.org/downloads",
  },
  {
    name: "Keenetic",
    platforms: ["router"],
    since: { "2.0": "KeeneticOS 5.1" },
    takes: ["file"],
    page: null,
  },
  {
    name: "OpenWrt",
    platforms: ["router"],
    since: { "2.0": "24.10.3", "3.1": "24.10.8" },
    takes: ["file"],
    page: "https://github.com/Slava-Shchipunov/awg-openwrt",
  },
];

/** Apps for a platform that support a protocol version. */
export const amneziaAppsFor = (platform: AppPlatform, version: AmneziaVersion): AmneziaApp[] =>
  AMNEZIA_APPS.filter((app) => app.platforms.includes(platform) && app.since[version] !== undefined);
