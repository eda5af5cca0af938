import type { FastifyRequest } from "fastify";
import { networksOf, plainAddress } from "../addresses.ts";

/** Where a caller comes from: a plain address, or null if a trusted proxy sent one that cannot be parsed. */
export type ClientAddress = string | null;

export type Clients = ReturnType<typeof makeClients>;

/** 1.2.3.4:5678, [v6] and [v6]:5678, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Determines the caller's address from the connection, or from the proxies in between if all of them are trusted. */
export function makeClients(trustedProxies: readonly string[]) {
  const isTrusted = networksOf(trustedProxies);
  const trusts = (address: string): boolean => {
    const plain = read(address);
    return plain !== null && isTrusted(plain);
  };
  return {
    /** Is this address, as a socket or a proxy writes it, one of the trusted proxies? */
    trusts,
    /** The first address, from the panel outwards, that is not a trusted proxy: anything beyond it could be made up. */
    addressOf(request: FastifyRequest): ClientAddress {
      const { remoteAddress = "" } = request.socket;
      const forwarded = request.headers["x-forwarded-for"];
      if (forwarded === undefined || !trusts(remoteAddress)) return read(remoteAddress);
      const hops = String(forwarded).split(",").reverse();
      return read(hops.find((hop) => !trusts(hop)) ?? hops.at(-1) ?? "");
    },
  };
}

function read(text: string): ClientAddress {
  const [, v6, v4] = WITH_PORT.exec(text.trim()) ?? [];
  return plainAddress(v6 ?? v4 ?? text.trim());
}
