import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { type ReasonCode, reason } from "@krug/domain/reasons";
import { canonicalAddress, covers } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { plainAddress } from "../addresses.ts";
import { endingWithin } from "../deadline.ts";
import { Failure } from "../failure.ts";
import { boundedAddresses, type Names } from "../names.ts";

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
  /** GET over TLS, within the same ten seconds for all of it. Each redirect is judged like the first address. @throws NoAnswer */
  get(url: URL, options: FetchOptions, signal: AbortSignal): Promise<Got>;
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

interface FetchOptions {
  headers: Record<string, string>;
  mostBytes: number;
  mostRedirects: number;
}

interface Got {
  status: number;
  etag: string | null;
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
  "too long": "web.too_long",
  "too many redirects": "web.too_many_redirects",
  "bad redirect": "web.bad_redirect",
  compressed: "web.packed",
};

/** `word`: as stored in the delivery log. `closed`: the address is not on the internet, and is never called. */
export class NoAnswer extends Failure {
  readonly word: string;
  readonly closed: boolean;
  constructor(
    word: string,
    { closed = false, cause, details }: { closed?: boolean; cause?: unknown; details?: Record<string, number> } = {},
  ) {
    const known = NO_ANSWER[word];
    super(known === undefined ? reason("web.broke", { code: word }) : reason(known, details), { cause });
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
    return v4 === null && v6 === null ? null : boundedAddresses([...(v4 ?? []), ...(v6 ?? [])]);
  };

  /** The addresses that a call may go to. @throws NoAnswer */
  const judged = async (url: URL): Promise<{ address: string; family: number }[]> => {
    const addresses = await addressesOf(url);
    if (addresses === null) throw new NoAnswer("no resolver answers");
    if (addresses.length === 0) throw new NoAnswer("no such name");
    if (!(await mayCallAll(addresses))) throw new NoAnswer("not an address of the internet", { closed: true });
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };

  /** One request, to the addresses that were judged. `take` says what becomes of the answer, or throws. */
  const send = async <Result>(
    url: URL,
    { method, headers, body }: Partial<Message> & { method: "GET" | "POST" },
    deadline: AbortSignal,
    take: (answer: IncomingMessage) => Promise<Result> | Result,
  ): Promise<Result> => {
    const found = await judged(url);
    const lookup: LookupFunction = (_host, { all }, answer) =>
      all ? answer(null, found) : answer(null, found[0]?.address ?? "", found[0]?.family ?? 4);
    return new Promise<Result>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) =>
        reject(
          error instanceof NoAnswer
            ? error
            : new NoAnswer(deadline.aborted ? "no answer in time" : (error.code ?? "broken"), { cause: error }),
        );
      const sent = request(url, {
        method,
        // Each connection is used once: none is reused that was opened under another answer of the resolver.
        agent: false,
        lookup,
        signal: deadline,
        headers: { ...headers, ...(body && { "content-length": body.length }) },
        ...(exception && { ca: exception.ca }),
      });
      sent.on("response", (answer) => {
        answer.on("error", () => {});
        const done = () => void answer.destroy();
        Promise.resolve(answer).then(take).then(resolve, fail).finally(done);
      });
      sent.on("error", fail);
      sent.end(body);
    });
  };
  const deadlineOf = (signal: AbortSignal) => endingWithin(exception?.answersWithinMs ?? ANSWERS_WITHIN_MS, signal);

  return {
    async isOpen(url) {
      const addresses = await addressesOf(url);
      return addresses && addresses.length > 0 && (await mayCallAll(addresses));
    },

    post: (url, message, signal) =>
      send(url, { method: "POST", ...message }, deadlineOf(signal), (answer) => ({
        status: answer.statusCode ?? 0,
        waitMs: waitOf(answer.headers["retry-after"]),
      })),

    async get(url, { headers, mostBytes, mostRedirects }, signal) {
      const deadline = deadlineOf(signal);
      let at = url;
      for (let left = mostRedirects; ; left -= 1) {
        const got = await send(at, { method: "GET", headers }, deadline, async (answer) => {
          const status = answer.statusCode ?? 0;
          const { location, etag } = answer.headers;
          if (REDIRECTS.has(status) && location !== undefined) return nextOf(at, location);
          return { status, etag: etag ?? null, body: await bodyOf(answer, mostBytes) };
        });
        if (!(got instanceof URL)) return got;
        if (left === 0) throw new NoAnswer("too many redirects");
        at = got;
      }
    },
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function nextOf(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (to === null || to.protocol !== "https:" || to.username !== "" || to.password !== "")
    throw new NoAnswer("bad redirect");
  return to;
}

async function bodyOf(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  // A small compressed body can be a large one.
  if ((answer.headers["content-encoding"] ?? "identity") !== "identity") throw new NoAnswer("compressed");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new NoAnswer("too long", { details: { most: mostBytes / 2 ** 20 } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
