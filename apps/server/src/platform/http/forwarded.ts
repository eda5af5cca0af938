import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Clients } from "./client-address.ts";

/** When it started, ms since 1970; null: not since the panel's start. */
export interface ForwardingTrouble {
  /** A peer that is not a trusted proxy sent a forwarded address. */
  untrustedSince: number | null;
  /** A trusted proxy sent one that cannot be parsed. */
  unreadableSince: number | null;
}

/**
 * Watches for useless forwarded addresses: from an untrusted peer, so everyone behind it counts as one, or unparseable, so
 * nobody gets in. Warns once per start about each, without naming an address (decisions, section 9).
 */
export function watchForwarding(server: FastifyInstance, clients: Clients, clock: Clock): () => ForwardingTrouble {
  const trouble: ForwardingTrouble = { untrustedSince: null, unreadableSince: null };
  const look = (request: FastifyRequest) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    const kind = !clients.trusts(request.socket.remoteAddress ?? "")
      ? "untrustedSince"
      : clients.addressOf(request) === null
        ? "unreadableSince"
        : null;
    if (kind === null || trouble[kind] !== null) return;
    trouble[kind] = clock.now().getTime();
    request.log.warn({}, WARNINGS[kind]);
  };
  server.addHook("onRequest", (request, _reply, done) => {
    look(request);
    done();
  });
  return () => trouble;
}

const WARNINGS = {
  untrustedSince:
    "A forwarded address came from a peer that TRUSTED_PROXIES does not name: the panel ignores it, and everyone behind that peer counts as one address.",
  unreadableSince:
    "A trusted proxy forwarded an address that cannot be parsed: the security gate turns such visitors away, and all of them count as one. Have the proxy set X-Forwarded-For to the visitor's address.",
};
