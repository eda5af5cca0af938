import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { polled } from "../../../lib/polled.ts";

export type UnknownPeer = Api["GET /admin/unknown-peers"]["answer"]["peers"][number];

const LIVE_MS = 60_000;

export const unknownPeersQuery = queryOptions({
  queryKey: ["unknown-peers"],
  queryFn: (asked) => polled(asked, "GET /admin/unknown-peers"),
  refetchInterval: LIVE_MS,
});
