import type { Config } from "./queries.ts";

/** The app that a device with this kind of tunnel needs. */
export const appFor = ({ type }: Config["tunnel"]) => (type === "amneziawg" ? "AmneziaWG" : "WireGuard");
