import type { FastifyRequest } from "fastify";
import { networksOf, plainAddress } from "../addresses.ts";

/** Where a caller comes from: a plain address, or null if a trusted proxy sent one that cannot be parsed. */
export type ClientAddress = string | null;

export type Clients = ReturnType<typeof makeClients>;

/** 1.2.3.4:5678, [v6] and [v6]:5678, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Most calls come from a few proxies, or again and again from the same people. */
const MOST_REMEMBERED = 1_000;
/** Longer than any address; a header may be of any length. */
const LONGEST_REMEMBERED = 64;

/** Determines the caller's address from the connection, or from the proxies in between if all of them are trusted. */
export function makeClients(trustedProxies: readonly string[]) {
  const isTrusted = networksOf(trustedProxies);
  const known = new Map<string, { plain: ClientAddress; isTrusted: boolean }>();
  const look = (text: string) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const plain = read(text);
    const now = { plain, isTrusted: plain !== null && isTrusted(plain) };
    if (text.length > LONGEST_REMEMBERED) return now;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, now);
    return now;
  };
  const trusts = (address: string): boolean => look(address).isTrusted;
  return {
    /** Is this address, as a socket or a proxy writes it, one of the trusted proxies? */
    trusts,
    /** The first address, from the panel outwards, that is not a trusted proxy: anything beyond it could be forged. */
    addressOf(request: FastifyRequest): ClientAddress {
      const { remoteAddress = "" } = request.socket;
      const forwarded = request.headers["x-forwarded-for"];
      if (forwarded === undefined || !trusts(remoteAddress)) return look(remoteAddress).plain;
      const hops = String(forwarded).split(",").reverse();
      return look(hops.find((hop) => !trusts(hop)) ?? hops.at(-1) ?? "").plain;
    },
  };
}

function read(text: string): ClientAddress {
  const [, v6, v4] = WITH_PORT.exec(text.trim()) ?? [];
  return plainAddress(v6 ?? v4 ?? text.trim());
}
