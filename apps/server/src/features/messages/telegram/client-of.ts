import type { ApiClientOptions } from "grammy";

/** A hundred updates, each with a message of 4,096 characters, are a fifth of it. */
const ANSWER_LIMIT = 8 * 1024 * 1024;

/**
 * How the library calls. node-fetch, which it does that with, counts an answer's bytes once they are unpacked; the library's own
 * type leaves that field out.
 */
export const clientOf = (apiRoot: string, timeoutSeconds: number): ApiClientOptions => ({
  apiRoot,
  timeoutSeconds,
  baseFetchConfig: { size: ANSWER_LIMIT } as object,
});
