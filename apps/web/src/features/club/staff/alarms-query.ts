import type { Api } from "@krug/contract/api";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, type StaffRole, useFrame } from "./frame.tsx";
import { ALARMS } from "./key.ts";

type Alarms = Api["GET /admin/alarms"]["answer"];

/** Most changes arrive live. If the stream is blocked, the timer fetches them. */
const REFRESH_MS = 30_000;

const alarmsQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: [...ALARMS, role],
    queryFn: ({ signal }) => api("GET /admin/alarms", { query: asViewed(role), signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });

/** What needs staff now; undefined until the panel has answered. */
export function useAlarms(): Alarms | undefined {
  const { viewedRole, entered } = useFrame();
  return useQuery({ ...alarmsQuery(viewedRole), enabled: entered }).data;
}
