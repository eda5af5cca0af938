import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../lib/api.ts";
import { type Message, type TicketId, ticketsQuery, unreadQuery } from "./queries.ts";

/** Tells the panel that support's messages were seen, once they are on a screen that somebody looks at. */
export function useSeen(ticketId: TicketId, messages: readonly Message[], looking: boolean): void {
  const queryClient = useQueryClient();
  const told = useRef(0);
  const newest = messages.findLast(({ isAdmin, readAt }) => isAdmin && readAt === null)?.sequence ?? 0;
  useEffect(() => {
    const tell = async () => {
      if (!looking || newest <= told.current || document.visibilityState !== "visible") return;
      told.current = newest;
      const body = { upTo: newest, ...(ticketId === null ? {} : { ticketId }) };
      // Where the panel is silent the count stays, and the next message or visit tells again.
      const unread = await api("POST /support/read", { body }).catch(() => null);
      if (unread === null) told.current = 0;
      else queryClient.setQueryData(unreadQuery.queryKey, unread);
      if (ticketId !== null) void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey });
    };
    void tell();
    document.addEventListener("visibilitychange", tell);
    return () => document.removeEventListener("visibilitychange", tell);
  }, [queryClient, ticketId, newest, looking]);
}
