import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { polledQuery, query } from "../../../lib/query.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";
import { SERVERS } from "./key.ts";

export { SERVERS } from "./key.ts";

export type Server = Api["GET /admin/servers"]["answer"][number];
export type Interface = Api["GET /admin/servers/interfaces"]["answer"][number];
export type Assigned = Api["GET /admin/servers/interfaces/{id}/users"]["answer"][number];

/** How often live numbers are refreshed while the page is visible. */
export const LIVE_MS = 30_000;

/** How often the progress of a move is fetched. */
const PROGRESS_MS = 2_000;

/** As often as a step of the daily chart ends. */
const HISTORY_MS = 5 * 60_000;

export const serversQuery = (role: StaffRole) =>
  polledQuery([...SERVERS, "list", role], "GET /admin/servers", { query: asViewed(role), refetchInterval: LIVE_MS });

export type History = Api["GET /admin/servers/{id}/history"]["answer"];

export const historyQuery = (id: string, span: "day" | "month") =>
  query([...SERVERS, "history", id, span], "GET /admin/servers/{id}/history", {
    params: { id },
    query: { span },
    refetchInterval: HISTORY_MS,
  });

export type Drain = Api["GET /admin/servers/emptyings"]["answer"][number];

/** Moves from server to server or from interface to interface, polled often while one runs. */
export const drainsQuery = polledQuery([...SERVERS, "emptyings"], "GET /admin/servers/emptyings", {
  refetchInterval: ({ state }) => (state.data?.some(isRunning) ? PROGRESS_MS : LIVE_MS),
});

export const isRunning = ({ state }: Pick<Drain, "state">): boolean => state === "running";

/** What draining it would do. */
export const planQuery = ({ kind, id }: Thing) =>
  queryOptions({
    queryKey: [...SERVERS, "plan", kind, id],
    queryFn: ({ signal }) =>
      kind === "interface"
        ? api("GET /admin/servers/interfaces/{id}/emptying", { params: { id }, signal })
        : api("GET /admin/servers/{id}/emptying", { params: { id }, signal }),
    staleTime: 0,
  });

/** Starts moving its devices to another of its kind. */
export const empty = ({ kind, id }: Thing, toId: string) =>
  kind === "interface"
    ? api("POST /admin/servers/interfaces/{id}/empty", { params: { id }, body: { toInterfaceId: toId } })
    : api("POST /admin/servers/{id}/empty", { params: { id }, body: { toServerId: toId } });

export const stopDrain = ({ kind, from: { id } }: Drain) =>
  kind === "interface"
    ? api("POST /admin/servers/interfaces/{id}/empty/stop", { params: { id } })
    : api("POST /admin/servers/{id}/empty/stop", { params: { id } });

/** A server with live numbers of its machine. */
export const liveQuery = (id: string) =>
  queryOptions({
    queryKey: [...SERVERS, "live", id],
    queryFn: async ({ signal, client, queryKey }): Promise<LiveServer> => {
      const before = client.getQueryData<LiveServer>(queryKey);
      const server = await api("GET /admin/servers/{id}/refresh", {
        params: { id },
        signal,
        background: before !== undefined,
      });
      return { ...server, speed: speedBetween(before, server) };
    },
    refetchInterval: LIVE_MS,
    retry: false,
  });

/** `speed`: bytes per second of its network; null until it was measured twice. */
export type LiveServer = Server & { speed: { received: number; sent: number } | null };

/** Counters that restarted with the machine give no speed. */
function speedBetween(before: LiveServer | undefined, { stats }: Server): LiveServer["speed"] {
  if (!before?.stats || !stats) return null;
  const seconds = (Date.parse(stats.readAt) - Date.parse(before.stats.readAt)) / 1_000;
  if (seconds < 1) return before.speed;
  const received = (stats.network_in - before.stats.network_in) / seconds;
  const sent = (stats.network_out - before.stats.network_out) / seconds;
  return received < 0 || sent < 0 ? null : { received, sent };
}

export const allInterfacesQuery = (role: StaffRole) =>
  query([...SERVERS, "interfaces", role], "GET /admin/servers/interfaces", { query: asViewed(role) });

const PAGE = 50;

/** What is assigned or drained: a server or an interface. */
export interface Thing {
  kind: "server" | "interface";
  id: string;
  name: string;
}

export const pageOfAssigned = async (
  { kind, id }: Thing,
  { role, q, after, signal }: { role: StaffRole; q: string; after: string | undefined; signal: AbortSignal },
) => {
  const query = {
    ...asViewed(role),
    limit: PAGE,
    ...(q === "" ? {} : { q }),
    ...(after === undefined ? {} : { cursor: after }),
  };
  const wish = { params: { id }, query, signal };
  if (kind === "interface") return apiPage("GET /admin/servers/interfaces/{id}/users", wish);
  const page = await apiPage("GET /admin/servers/user-assignments/{id}", wish);
  // For a server's id the call returns members.
  return { ...page, rows: page.rows as Assigned[] };
};

export const assign = ({ kind, id }: Thing, userId: string) =>
  kind === "interface"
    ? api("POST /admin/servers/interfaces/assign", { body: { userId, interfaceId: id } })
    : api("POST /admin/servers/assign", { body: { userId, serverId: id } });

export const unassign = ({ kind, id }: Thing, userId: string) =>
  kind === "interface"
    ? api("DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}", { params: { userId, interfaceId: id } })
    : api("DELETE /admin/servers/assign/{userId}/{serverId}", { params: { userId, serverId: id } });
