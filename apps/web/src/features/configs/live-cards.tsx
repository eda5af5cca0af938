import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import type { ConfigStats } from "./queries.ts";

/** With the panel's five seconds of age, a card shows a handshake within 15 s. */
const LIVE_EVERY_MS = 7_000;

/** A hidden page asks for nothing. */
const liveStatsQuery = queryOptions({
  queryKey: ["live-stats"],
  queryFn: async ({ signal, client }) => {
    const all = await api("GET /vpn/stats", { signal, background: true });
    for (const { id, ...stats } of all) client.setQueryData<ConfigStats>(["config-stats", id], stats);
    return all;
  },
  refetchInterval: LIVE_EVERY_MS,
  // The list has just said the same.
  initialData: [],
  staleTime: LIVE_EVERY_MS,
  gcTime: 0,
});

/** Keeps the cards' handshakes and bytes up to date while they are looked at; shows nothing itself. */
export function LiveCards() {
  useQuery(liveStatsQuery);
  return null;
}
