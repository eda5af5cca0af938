import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type UnknownPeer = Api["GET /admin/unknown-peers"]["answer"]["peers"][number];

const LIVE_MS = 60_000;

export const unknownPeersQuery = queryOptions({
  queryKey: ["unknown-peers"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /admin/unknown-peers", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: LIVE_MS,
});
