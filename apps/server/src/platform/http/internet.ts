import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { type ReasonCode, reason } from "@krug/domain/reasons";
import { canonicalAddress, covers } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { plainAddress } from "../addresses.ts";
import { endingWithin } from "../deadline.ts";
import { Failure } from "../failure.ts";
import type { Names } from "../names.ts";

/**
 * Calls to addresses that somebody else supplied. A name is resolved once, and the connection goes to that address, so a name
 * that resolves differently a moment later leads nowhere else. Private networks, this machine and the club's own servers are not
 * called: services there may trust requests from the panel. Only tests make exceptions.
 */
export interface Internet {
  /** Whether the panel may call this host; also false if the name does not exist. Null: no resolver answered. */
  isOpen(url: URL): Promise<boolean | null>;
  /** POST over TLS. The answer's body is not read, and redirects are not followed. @throws NoAnswer */
  post(url: URL, message: Message, signal: AbortSignal): Promise<Taken>;
}

export interface InternetException {
  /** This address may be called although it is not on the internet. */
  allows(address: string): boolean;
  /** Certificates by this authority are trusted; PEM. */
  ca: string;
  /** Ten seconds by default. */
  answersWithinMs?: number;
}

interface Message {
  headers: Record<string, string>;
  body: Buffer;
}

interface Taken {
  status: number;
  /** From Retry-After, if present. */
  waitMs: number | null;
}

const NO_ANSWER: Readonly<Record<string, ReasonCode>> = {
  "no answer in time": "web.silent",
  "not an address of the internet": "web.closed",
  "no such name": "web.no_name",
  "no resolver answers": "web.no_resolver",
};

/** `word`: as stored in the delivery log. `closed`: the address is not on the internet, and is never called. */
export class NoAnswer extends Failure {
  readonly word: string;
  readonly closed: boolean;
  constructor(word: string, { closed = false, cause }: { closed?: boolean; cause?: unknown } = {}) {
    const known = NO_ANSWER[word];
    super(known === undefined ? reason("web.broke", { code: word }) : reason(known), { cause });
    this.word = word;
    this.closed = closed;
  }
}

const ANSWERS_WITHIN_MS = 10_000;
/**
 * In addition: documentation, discard, segment routing, protocol assignments (RFC 2928), and IPv6 that a tunnel on the way
 * unwraps to IPv4 (RFC 4291, 3056, 4380).
 */
const ALSO_CLOSED = [
  ...["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24"],
  ...["::/96", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"],
];
const CLOSED = [...CLOSED_NETWORKS.map(({ cidr }) => cidr), ...ALSO_CLOSED];

interface Parts {
  names: Names;
  /** Whether an address is one of the club's own servers'. */
  isOwnAddress(address: string): Promise<boolean>;
  internetException?: InternetException;
}

export function makeInternet({ names, isOwnAddress, internetException: exception }: Parts): Internet {
  const mayCall = async (address: string): Promise<boolean> => {
    if (exception?.allows(address)) return true;
    const plain = canonicalAddress(address);
    return plain !== null && !covers(CLOSED, plain) && !isThisMachine(plain) && !(await isOwnAddress(plain));
  };
  const mayCallAll = async (addresses: readonly string[]): Promise<boolean> =>
    (await Promise.all(addresses.map(mayCall))).every(Boolean);

  /** Null: no resolver answered. */
  const addressesOf = async ({ hostname }: URL): Promise<string[] | null> => {
    const host = hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0) return [host];
    const { v4, v6 } = await names.find(host.replace(/\.$/, ""));
    return v4 === null && v6 === null ? null : [...(v4 ?? []), ...(v6 ?? [])];
  };

  return {
    async isOpen(url) {
      const addresses = await addressesOf(url);
      return addresses && addresses.length > 0 && (await mayCallAll(addresses));
    },

    async post(url, { headers, body }, signal) {
      const deadline = endingWithin(exception?.answersWithinMs ?? ANSWERS_WITHIN_MS, signal);
      const addresses = await addressesOf(url);
      if (addresses === null) throw new NoAnswer("no resolver answers");
      if (addresses.length === 0) throw new NoAnswer("no such name");
      if (!(await mayCallAll(addresses))) throw new NoAnswer("not an address of the internet", { closed: true });
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const lookup: LookupFunction = (_host, { all }, answer) =>
        all ? answer(null, found) : answer(null, found[0]?.address ?? "", found[0]?.family ?? 4);
      return new Promise<Taken>((resolve, reject) => {
        const sent = request(url, {
          method: "POST",
          // Each connection is used once: none is reused that was opened under another answer of the resolver.
          agent: false,
          lookup,
          signal: deadline,
          headers: { ...headers, "content-length": body.length },
          ...(exception && { ca: exception.ca }),
        });
        sent.on("response", (answer) => {
          answer.on("error", () => {});
          answer.destroy();
          resolve({ status: answer.statusCode ?? 0, waitMs: waitOf(answer.headers["retry-after"]) });
        });
        sent.on("error", (error: NodeJS.ErrnoException) =>
          reject(new NoAnswer(deadline.aborted ? "no answer in time" : (error.code ?? "broken"), { cause: error })),
        );
        sent.end(body);
      });
    },
  };
}

/** Whether it is one of this machine's own, in plain form. */
const isThisMachine = (plain: string): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .some((own) => own !== undefined && plainAddress(own.address) === plain);

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function waitOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
