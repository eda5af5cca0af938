import type { DeskEventData } from "@krug/contract/messages/support";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { listenLive } from "../../../lib/live.ts";
import { ALARMS } from "../../club/staff/index.ts";
import { DESK, THREADS } from "./queries.ts";

/** Messages come in bursts. */
const GATHER_MS = 150;

/** Keeps the staff's view of support current: refetches what a changed conversation concerns, and everything after a gap. */
export function useDesk({ enabled, whileHidden }: { enabled: boolean; whileHidden: boolean }): void {
  const queryClient = useQueryClient();
  const staysWhileHidden = useRef(whileHidden);
  staysWhileHidden.current = whileHidden;
  useEffect(() => {
    if (!enabled) return;
    const changed = new Set<string>();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const isConcerned = (key: QueryKey) => {
      const isThread = THREADS.every((part, place) => key[place] === part);
      return !isThread || changed.has(String(key[THREADS.length]));
    };
    const ask = () => {
      soon = undefined;
      const concerned = new Set(
        queryClient
          .getQueryCache()
          .findAll({ queryKey: DESK, predicate: ({ queryKey }) => isConcerned(queryKey) })
          .map(({ queryHash }) => queryHash),
      );
      changed.clear();
      void queryClient.invalidateQueries({ predicate: ({ queryHash }) => concerned.has(queryHash) });
      void queryClient.invalidateQueries({ queryKey: ALARMS });
    };
    const stop = listenLive<DeskEventData>({
      path: "/admin/support/stream",
      whileHidden: () => staysWhileHidden.current,
      events: {
        changed: ({ userId }) => {
          changed.add(userId);
          soon ??= setTimeout(ask, GATHER_MS);
        },
      },
      onGap: () => void queryClient.invalidateQueries({ queryKey: DESK }),
    });
    return () => {
      clearTimeout(soon);
      stop();
    };
  }, [queryClient, enabled]);
}
