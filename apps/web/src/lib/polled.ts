import type { Api } from "@krug/contract/api";
import type { QueryFunctionContext } from "@tanstack/react-query";
import { type Args, api, type Call } from "./api.ts";

type Asked = Pick<QueryFunctionContext, "signal" | "client" | "queryKey">;

/** A call by a query that repeats itself: once it has an answer, asking again must not keep a session alive. */
export function polled<K extends Call>(asked: Asked, key: K, ...[wish]: Args<K>): Promise<Api[K]["answer"]> {
  const { signal, client, queryKey } = asked;
  const background = client.getQueryData(queryKey) !== undefined;
  return api(key, ...([{ ...wish, signal, background }] as unknown as Args<K>));
}
