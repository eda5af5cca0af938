/**
 * What this site's tabs tell each other. Null where there is no page: the build renders the first pages in Node, which an open channel
 * would keep from ever ending.
 */
export const tabChannel = (name: string): BroadcastChannel | null =>
  typeof document === "undefined" || typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
