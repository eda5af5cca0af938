import type { Reason } from "@krug/domain/reasons";
import { LimitExceeded, programAt, runConfined } from "../../../platform/confined.ts";
import { Failure, failure } from "../../../platform/failure.ts";
import type { Internet } from "../../../platform/http/internet.ts";
import { type FoundNetworks, readFound } from "./read-found.ts";

export interface Found extends FoundNetworks {
  etag: string | null;
}

const MOST_BYTES = 8 * 2 ** 20;
const MOST_REDIRECTS = 3;
/** Longer lists are read in a separate process: in this one everybody would wait for them. */
const READ_HERE = 100_000;
const LIMITS = { ms: 30_000, memoryBytes: 768 * 2 ** 20 };

/**
 * Fetches the list at an address. null: it is still the one with this ETag.
 * @throws Failure
 */
export const makeFind =
  (internet: Internet) =>
  async (source: string, etag: string | null, signal: AbortSignal): Promise<Found | null> => {
    const headers = {
      accept: "text/plain, application/json, */*",
      "accept-encoding": "identity",
      "user-agent": "krug-lists",
      ...(etag !== null && { "if-none-match": etag }),
    };
    const wish = { headers, mostBytes: MOST_BYTES, mostRedirects: MOST_REDIRECTS };
    const got = await internet.get(new URL(source), wish, signal);
    if (got.status === 304 && etag !== null) return null;
    if (got.status !== 200) throw failure("web.status", { status: got.status });
    const read = await readList(got.body.toString("utf8"));
    if ("problem" in read) throw new Failure(read.problem);
    return { ...read, etag: got.etag };
  };

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
