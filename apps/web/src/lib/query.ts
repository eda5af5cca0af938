import type { Api } from "@krug/contract/api";
import {
  type QueryFunctionContext,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from "@tanstack/react-query";
import { type Args, api, type Call } from "./api.ts";

type Asked = Pick<QueryFunctionContext, "signal" | "client" | "queryKey">;
type Answer<K extends Call> = Api[K]["answer"];
type Options<K extends Call> = Omit<UndefinedInitialDataOptions<Answer<K>>, "queryKey" | "queryFn">;
/** What the call takes, and how the query goes about it. */
type Wished<K extends Call> =
  Args<K> extends [infer Wish] ? [wish: Wish & Options<K>] : [wish?: NonNullable<Args<K>[0]> & Options<K>];

/** What `wish` has of the call, the rest being the query's. */
function inTwo<K extends Call>([wish]: Wished<K>) {
  const { params, query, body, ...options } = (wish ?? {}) as Options<K> & Record<"params" | "query" | "body", unknown>;
  return { call: { params, query, body }, options };
}

/** A query that is one call. */
export function query<K extends Call>(queryKey: QueryKey, name: K, ...wish: Wished<K>) {
  const { call, options } = inTwo(wish);
  const queryFn = ({ signal }: Asked) => api(name, ...([{ ...call, signal }] as unknown as Args<K>));
  return queryOptions<Answer<K>>({ ...options, queryKey, queryFn });
}

/** One that repeats itself: once it has an answer, asking again must not keep a session alive. */
export function polledQuery<K extends Call>(queryKey: QueryKey, name: K, ...wish: Wished<K>) {
  const { call, options } = inTwo(wish);
  const queryFn = (asked: Asked) => polled(asked, name, ...([call] as unknown as Args<K>));
  return queryOptions<Answer<K>>({ ...options, queryKey, queryFn });
}

export function polled<K extends Call>(asked: Asked, call: K, ...[wish]: Args<K>): Promise<Answer<K>> {
  const { signal, client, queryKey } = asked;
  const background = client.getQueryData(queryKey) !== undefined;
  return api(call, ...([{ ...wish, signal, background }] as unknown as Args<K>));
}
