/** Where to get each system's official client: https://www.wireguard.com/install/ */
export const CLIENTS = {
  ios: { name: "iOS", phone: true, address: "https://apps.apple.com/app/wireguard/id1441195209" },
  windows: { name: "Windows", phone: false, address: "https://www.wireguard.com/install/" },
  android: {
    name: "Android",
    phone: true,
    address: "https://play.google.com/store/apps/details?id=com.wireguard.android",
  },
  macos: { name: "macOS", phone: false, address: "https://apps.apple.com/app/wireguard/id1451685025" },
} as const;

export type System = keyof typeof CLIENTS;

export const SYSTEMS = Object.keys(CLIENTS) as System[];

/** All of them, this browser's first. */
export const systemsHereFirst = (): System[] => {
  const here = thisSystem();
  return here === null ? SYSTEMS : [here, ...SYSTEMS.filter((system) => system !== here)];
};

/** This browser's system; null if it cannot be told, as on Linux. */
export function thisSystem(userAgent = navigator.userAgent): System | null {
  if (/android/i.test(userAgent)) return "android";
  if (/iphone|ipad|ipod/i.test(userAgent)) return "ios";
  if (/windows/i.test(userAgent)) return "windows";
  if (!/macintosh/i.test(userAgent)) return null;
  // An iPad calls itself a Macintosh; no Macintosh has a touchscreen.
  return navigator.maxTouchPoints > 1 ? "ios" : "macos";
}
