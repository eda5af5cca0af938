import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../../../lib/api.ts";
import { inClub } from "../../../lib/club-clock.ts";
import { useIsHere } from "../../../lib/use-is-here.ts";
import { type ConfigStats, configsQuery, monthQuery } from "./queries.ts";

/** With the panel's data up to five seconds old, a card shows a handshake within 15 s. */
const LIVE_EVERY_MS = 7_000;
/** A page that was left open polls as specified: each card every five minutes (ADR 124). */
const LIVE_FOR_MS = 2 * MINUTE_MS;

/** A hidden page asks for nothing. */
const liveStatsQuery = queryOptions({
  queryKey: ["live-stats"],
  queryFn: async ({ signal, client }) => {
    const all = await api("GET /vpn/stats", { signal, background: true });
    for (const { id, serverAwaySince: _, ...stats } of all)
      client.setQueryData<ConfigStats>(["config-stats", id], stats);
    const list = client.getQueryData(configsQuery.queryKey);
    const isOtherWeather = all.some(({ id, serverAwaySince }) =>
      list?.some((config) => config.id === id && config.serverAwaySince !== serverAwaySince),
    );
    if (isOtherWeather) void client.invalidateQueries({ queryKey: configsQuery.queryKey });
    const month = client.getQueryState(monthQuery.queryKey);
    const known = new Set(month?.data?.configs.map(({ id }) => id));
    const isNews = all.some(
      ({ id, lastHandshake }) => !known.has(id) && (lastHandshake ?? 0) > inClub(month?.dataUpdatedAt ?? 0),
    );
    // Its first bytes, or its first for a long time: the card must not still say that there were none.
    if (month?.data && isNews) void client.invalidateQueries({ queryKey: monthQuery.queryKey });
    return all;
  },
  // The list has just shown the same.
  initialData: [],
  staleTime: LIVE_EVERY_MS,
  gcTime: 0,
});

/** Keeps the cards' handshakes and bytes up to date while somebody is present. Renders nothing. */
export function LiveCards() {
  const isHere = useIsHere(LIVE_FOR_MS);
  const { refetch, isStale } = useQuery({ ...liveStatsQuery, refetchInterval: isHere ? LIVE_EVERY_MS : false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: at once for who comes back, and not at every answer
  useEffect(() => {
    if (isHere && isStale) void refetch();
  }, [isHere]);
  return null;
}
