/** Ethernet's MTU, and so that of nearly every path on the internet. */
const USUAL_PATH = 1500;
/** IPv6's minimum (RFC 8200, section 5). */
const MTU_LEAST = 1280;

/** For a path of 1500 bytes: 80 less for WireGuard over IPv6, as its own tools calculate. */
export const DEFAULT_MTU = 1420;

/**
 * The tunnel MTU for a path that carries packets of this many bytes without fragmentation; null if `usual`, the default, fits.
 * Without IPv6 outside, 20 bytes more would fit; they are not used, as they are not with a path of 1500 either.
 */
export function mtuForPath(path: number | null, usual: number = DEFAULT_MTU): number | null {
  if (path === null || path >= USUAL_PATH) return null;
  const fitting = Math.max(MTU_LEAST, usual - (USUAL_PATH - path));
  return fitting < usual ? fitting : null;
}
