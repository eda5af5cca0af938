/** What an Ethernet carries, and so nearly every path on the internet. */
const USUAL_PATH = 1500;
/** What IPv6 needs at least (RFC 8200, section 5). */
const MTU_LEAST = 1280;

/** For a path of 1500 bytes: 80 less for WireGuard over IPv6, as its own tools count. */
export const DEFAULT_MTU = 1420;

/**
 * The MTU of a tunnel whose packets pass a path of so many bytes in one piece; null where `usual`, what it has otherwise, does so.
 * Without IPv6 outside, 20 bytes more would fit; they are not used, as a path of 1500 does not use them either.
 */
export function mtuForPath(path: number | null, usual: number = DEFAULT_MTU): number | null {
  if (path === null || path >= USUAL_PATH) return null;
  const fitting = Math.max(MTU_LEAST, usual - (USUAL_PATH - path));
  return fitting < usual ? fitting : null;
}
