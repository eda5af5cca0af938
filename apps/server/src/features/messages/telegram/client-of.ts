import type { ApiClientOptions } from "grammy";

/** Five times a hundred updates with a message of 4,096 characters each. */
const ANSWER_LIMIT = 8 * 1024 * 1024;

/**
 * The library's HTTP options. It calls with node-fetch, which counts an answer's bytes after decompression; the library's own
 * type leaves that field out.
 */
export const clientOf = (apiRoot: string, timeoutSeconds: number): ApiClientOptions => ({
  apiRoot,
  timeoutSeconds,
  baseFetchConfig: { size: ANSWER_LIMIT } as object,
});
