import type { Api } from "@krug/contract/api";
import {
  type QueryFunctionContext,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from "@tanstack/react-query";
import { type Args, api, type Call } from "./api.ts";

type Answer<K extends Call> = Api[K]["answer"];
type Options<K extends Call> = Omit<UndefinedInitialDataOptions<Answer<K>>, "queryKey" | "queryFn">;
/** What the call takes, and how the query goes about it. */
type Wished<K extends Call> =
  Args<K> extends [infer Wish] ? [wish: Wish & Options<K>] : [wish?: NonNullable<Args<K>[0]> & Options<K>];

/** A query that is one call. `isPolled`: it repeats itself; once it has an answer, asking again must not keep a session alive. */
const making =
  (isPolled: boolean) =>
  <K extends Call>(queryKey: QueryKey, call: K, ...[wish]: Wished<K>) => {
    const { params, query, body, ...options } = (wish ?? {}) as Options<K> &
      Record<"params" | "query" | "body", unknown>;
    const queryFn = ({ signal, client }: QueryFunctionContext) => {
      const background = isPolled && client.getQueryData(queryKey) !== undefined;
      return api(call, ...([{ params, query, body, signal, background }] as unknown as Args<K>));
    };
    return queryOptions<Answer<K>>({ ...options, queryKey, queryFn });
  };

export const query = making(false);
export const polledQuery = making(true);
