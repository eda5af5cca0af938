import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import type { Clients } from "./client-address.ts";

/** Since when, ms since 1970; null: never since the start. */
export interface ForwardingTrouble {
  /** A peer that is no trusted proxy sent a forwarded address. */
  untrustedSince: number | null;
  /** A trusted proxy sent one that cannot be read. */
  unreadableSince: number | null;
}

/**
 * Watches for forwarded addresses that help nobody: from a peer that is no trusted proxy, so that everyone behind it counts
 * as one, or not to be read, so that nobody gets in. Warns once a start of each, naming no address (decisions, section 9).
 */
export function watchForwarding(server: FastifyInstance, clients: Clients, clock: Clock): () => ForwardingTrouble {
  const trouble: ForwardingTrouble = { untrustedSince: null, unreadableSince: null };
  server.addHook("onRequest", async (request) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    const kind = !clients.trusts(request.socket.remoteAddress ?? "")
      ? "untrustedSince"
      : clients.addressOf(request) === null
        ? "unreadableSince"
        : null;
    if (kind === null || trouble[kind] !== null) return;
    trouble[kind] = clock.now().getTime();
    request.log.warn({}, WARNINGS[kind]);
  });
  return () => trouble;
}

const WARNINGS = {
  untrustedSince:
    "A forwarded address came from a peer that TRUSTED_PROXIES does not name: it is not believed, and everyone behind that peer counts as one address.",
  unreadableSince:
    "A trusted proxy forwarded an address that cannot be read: whoever comes so is turned away by the security gate, and all of them count as one. Have the proxy set X-Forwarded-For to the visitor's address.",
};
