import type { Api } from "@krug/contract/api";
import { HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { ApiError, api } from "../../../lib/api.ts";
import { deviceNow } from "../../../lib/club-clock.ts";
import { firstAnswer, firstAnswersAt } from "../../../lib/first-answers.ts";
import { polledQuery, query } from "../../../lib/query.ts";

export type Config = Api["GET /vpn/configs"]["answer"][number];
export type ConfigWithText = Api["PUT /vpn/configs/{id}"]["answer"];
/** A list has no speed. */
export type ConfigStats = Config["stats"] & Partial<Api["GET /vpn/configs/{id}/stats"]["answer"]>;
export type Month = Api["GET /vpn/traffic"]["answer"];
export type DayOfTraffic = Month["configs"][number]["days"][number];
export type Diagnosis = Api["GET /vpn/configs/{id}/diagnosis"]["answer"];
export type NewConfig = Api["POST /vpn/configs"]["body"];

/** User-side, section 9. */
const CARD_REFRESH_MS = 5 * MINUTE_MS;
const LIST_REFRESH_MS = 10 * MINUTE_MS;
/** While the server has not applied a change yet, its card must not be wrong for ten minutes. */
const PENDING_REFRESH_MS = 5_000;
const NONE_REFRESH_MS = 15_000;
/** A member waiting for a device to work sees it soon, without pressing anything. */
const DIAGNOSIS_EVERY_MS = 10_000;
const FIRST_HANDSHAKE_EVERY_MS = 2_000;

/** The member's own configs with their totals. After the first request a timer asks. */
export const configsQuery = polledQuery(["configs"], "GET /vpn/configs", {
  initialData: () => firstAnswer("GET /vpn/configs"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: MINUTE_MS,
  refetchInterval: ({ state }) =>
    state.data?.some((config) => config.state === "pending") ? PENDING_REFRESH_MS : LIST_REFRESH_MS,
});

/** Daily traffic of each of the member's devices in the last 30 days. */
export const monthQuery = polledQuery(["month-of-traffic"], "GET /vpn/traffic", {
  query: { days: 30 },
  initialData: () => firstAnswer("GET /vpn/traffic"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: MINUTE_MS,
  refetchInterval: LIST_REFRESH_MS,
});

/** Why a device may not work. The panel compares the clock of this browser with its own. */
export const diagnosisQuery = (id: string) =>
  queryOptions({
    queryKey: ["diagnosis", id],
    queryFn: ({ signal, client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      const query = { clock: deviceNow() };
      return api("GET /vpn/configs/{id}/diagnosis", { params: { id }, query, signal, background });
    },
    refetchInterval: ({ state }) => (isGone(state.error) ? false : DIAGNOSIS_EVERY_MS),
    refetchOnWindowFocus: "always",
    gcTime: 0,
    staleTime: 0,
  });

/** A card's own totals: they start with the list's, and a 404 ends the polling. */
export const statsQuery = (config: Config, listedAtMs: number) =>
  queryOptions({
    queryKey: ["config-stats", config.id],
    queryFn: ({ signal }): Promise<ConfigStats> =>
      api("GET /vpn/configs/{id}/stats", { params: { id: config.id }, signal, background: true }),
    initialData: config.stats as ConfigStats,
    initialDataUpdatedAt: listedAtMs,
    staleTime: CARD_REFRESH_MS,
    refetchInterval: ({ state }) => (isGone(state.error) ? false : CARD_REFRESH_MS),
  });

/** Polls every two seconds until the device connects: a handshake other than `before`. */
export const firstHandshakeQuery = (id: string, before: number | null) =>
  queryOptions({
    queryKey: ["first-handshake", id, before],
    queryFn: async ({ signal, client }) => {
      const stats = await api("GET /vpn/configs/{id}/stats", { params: { id }, signal, background: true });
      // The card behind the dialog gets what the dialog has seen.
      client.setQueryData(["config-stats", id], stats);
      return stats;
    },
    refetchInterval: ({ state }) =>
      isGone(state.error) || hasConnected(state.data, before) ? false : FIRST_HANDSHAKE_EVERY_MS,
    refetchOnWindowFocus: "always",
    gcTime: 0,
    staleTime: 0,
  });

export function hasConnected(stats: ConfigStats | undefined, before: number | null): boolean {
  return stats?.lastHandshake != null && stats.lastHandshake !== before;
}

export const qrTextQuery = (id: string) =>
  queryOptions({
    queryKey: ["config-text", id],
    queryFn: async ({ signal }) => (await api("GET /vpn/configs/{id}/qrcode", { params: { id }, signal })).config,
    // A private key is not cached after it is shown.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

export const servicesQuery = query(["services"], "GET /services", { staleTime: MINUTE_MS });

export const dnsQuery = query(["dns"], "GET /dns", { staleTime: HOUR_MS / 12 });

export const interfacesQuery = polledQuery(["available-interfaces"], "GET /vpn/available-interfaces", {
  initialData: () => firstAnswer("GET /vpn/available-interfaces"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: MINUTE_MS,
  // A server that comes up, or an interface that is switched on, ends the waiting by itself.
  refetchInterval: ({ state }) =>
    state.data?.some(({ reason }) => reason === null) === false ? NONE_REFRESH_MS : false,
});

/** The device was deleted meanwhile: asking again gives the same answer. */
export const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404;
