import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRight } from "../../club/staff/index.ts";
import { type Drain, drainsQuery, isRunning, SERVERS } from "./queries.ts";

/** Moves of whole servers, for an admin. When one ends, the servers' own numbers are refetched. */
export function useDrains(): Drain[] | undefined {
  const isTold = useRight("servers.change");
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...drainsQuery, enabled: isTold });
  const running = data?.filter(isRunning).length ?? 0;
  const before = useRef(running);
  useEffect(() => {
    if (running < before.current) void queryClient.invalidateQueries({ queryKey: SERVERS });
    before.current = running;
  }, [running, queryClient]);
  return data;
}
