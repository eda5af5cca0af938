import type { Reason, ReasonCode } from "@krug/domain/reasons";
import { covers, minimalCidrs } from "@krug/wireguard/addresses";
import { nameInKey, readSource } from "@krug/wireguard/list-source";
import { LimitExceeded, programAt, runConfined } from "../../../platform/confined.ts";
import { Failure, failure } from "../../../platform/failure.ts";
import type { Internet } from "../../../platform/http/internet.ts";
import { makeLimiter } from "../../../platform/limiter.ts";
import type { Names } from "../../../platform/names.ts";
import { counted, type FoundNetworks, readFound } from "./read-found.ts";

export interface Found extends FoundNetworks {
  etag: string | null;
}

const MOST_BYTES = 8 * 2 ** 20;
const MOST_REDIRECTS = 3;
/** Longer lists are read in a separate process: in this one everybody would wait for them. */
const READ_HERE = 100_000;
const LIMITS = { ms: 30_000, memoryBytes: 768 * 2 ** 20 };

/** Read side by side, each in a process of its own. */
const READ_AT_ONCE = 3;

export interface FindParts {
  internet: Internet;
  names: Names;
  /** null: there is no data. */
  networksOfCountry(code: string): Promise<string[] | null>;
  networksOfAs(number: number): Promise<string[] | null>;
}

/** Looks a source up, on the internet or in the data on this machine. */
export function makeFind({ internet, names, networksOfCountry, networksOfAs }: FindParts) {
  const fewAtOnce = makeLimiter(READ_AT_ONCE);
  const atAddress = async (url: string, etag: string | null, signal: AbortSignal): Promise<Found | null> => {
    const headers = {
      accept: "text/plain, application/json, */*",
      "accept-encoding": "identity",
      "user-agent": "krug-lists",
      ...(etag !== null && { "if-none-match": etag }),
    };
    const wish = { headers, mostBytes: MOST_BYTES, mostRedirects: MOST_REDIRECTS };
    const got = await internet.get(new URL(url), wish, signal);
    if (got.status === 304 && etag !== null) return null;
    if (got.status !== 200) throw failure("web.status", { status: got.status });
    const read = await fewAtOnce(() => readList(got.body.toString("utf8")));
    if (read === null) throw new Error("a limiter without a limit refused to wait");
    return good(read.result, got.etag);
  };
  const ofDomain = async (name: string): Promise<Found> => {
    const { v4, v6, exists } = await names.find(name);
    const addresses = [...(v4 ?? []), ...(v6 ?? [])];
    if (addresses.length === 0 && (v4 === null || v6 === null)) throw failure("web.no_resolver");
    // Servers that route go by the names below it.
    if (addresses.length === 0 && exists) return { networks: [], unread: 0, etag: null };
    if (addresses.length === 0) throw failure("web.no_name");
    const found = counted(addresses);
    if ("problem" in found) throw failure("web.closed");
    // One by one: each is kept for a day of its own.
    const open = addresses.filter((address) => covers(found.networks, address));
    return { networks: minimalCidrs(open), unread: 0, etag: null };
  };
  const inData = (networks: string[] | null, missing: ReasonCode): Found => {
    if (networks === null) throw failure(missing);
    if (networks.length === 0) throw failure("source.unknown");
    return good(counted(networks), null);
  };

  /**
   * null: it is still the list with this ETag.
   * @throws Failure
   */
  return async (key: string, etag: string | null, signal: AbortSignal): Promise<Found | null> => {
    const name = nameInKey(key);
    switch (readSource(key)?.kind) {
      case "as":
        return inData(await networksOfAs(Number(name)), "source.no_as_data");
      case "domain":
        return ofDomain(name);
      case "country":
        return inData(await networksOfCountry(name), "source.no_country_data");
      default:
        return atAddress(key, etag, signal);
    }
  };
}

function good(read: FoundNetworks | { problem: Reason }, etag: string | null): Found {
  if ("problem" in read) throw new Failure(read.problem);
  return { ...read, etag };
}

async function readList(text: string): Promise<FoundNetworks | { problem: Reason }> {
  if (text.length <= READ_HERE) return readFound(text);
  try {
    return (await runConfined(programAt("features/vpn/sources/list-reader"), text, LIMITS)) as ReturnType<
      typeof readFound
    >;
  } catch (error) {
    if (error instanceof LimitExceeded) throw failure("source.too_large");
    throw error;
  }
}
