import { BlockList, isIPv6 } from "node:net";
import { parseCidr } from "@krug/wireguard/addresses";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";

/**
 * Watches for forwarded addresses from a peer that is no trusted proxy: they are not believed, so everyone behind that
 * peer counts as one. Warns once a start, naming no address (decisions, section 9). Answers since when, or null.
 */
export function watchForwarding(
  server: FastifyInstance,
  trustedProxies: readonly string[],
  clock: Clock,
): () => number | null {
  const trusted = new BlockList();
  for (const text of trustedProxies) {
    const cidr = parseCidr(text);
    if (cidr !== null) trusted.addSubnet(cidr.network, cidr.prefix, cidr.family === 4 ? "ipv4" : "ipv6");
  }
  let since: number | null = null;
  server.addHook("onRequest", async (request) => {
    if (since !== null || request.headers["x-forwarded-for"] === undefined) return;
    const peer = request.socket.remoteAddress ?? "";
    if (trusted.check(peer, isIPv6(peer) ? "ipv6" : "ipv4")) return;
    since = clock.now().getTime();
    request.log.warn(
      {},
      "A forwarded address came from a peer that TRUSTED_PROXIES does not name: it is not believed, and everyone behind that peer counts as one address.",
    );
  });
  return () => since;
}
