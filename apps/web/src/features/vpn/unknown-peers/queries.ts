import type { Api } from "@krug/contract/api";
import { polledQuery } from "../../../lib/query.ts";

export type UnknownPeer = Api["GET /admin/unknown-peers"]["answer"]["peers"][number];

const LIVE_MS = 60_000;

export const unknownPeersQuery = polledQuery(["unknown-peers"], "GET /admin/unknown-peers", {
  refetchInterval: LIVE_MS,
});
