import { useEffect, useRef } from "react";
import type { Line, Message } from "./line.ts";

/** Reports to the panel that the other side's messages were seen, once they are on a visible screen. */
export function useSeen(line: Line, messages: readonly Message[], looking: boolean): void {
  const told = useRef(0);
  const tellPanel = useRef(line.seen);
  tellPanel.current = line.seen;
  const newest = messages.findLast(({ isAdmin, readAt }) => isAdmin !== line.isStaff && readAt === null)?.sequence ?? 0;
  useEffect(() => {
    const tell = async () => {
      if (!looking || newest <= told.current || document.visibilityState !== "visible") return;
      told.current = newest;
      // If the panel is silent the count stays, and the next message or visit tries again.
      await tellPanel.current(newest).catch(() => {
        told.current = 0;
      });
    };
    void tell();
    document.addEventListener("visibilitychange", tell);
    return () => document.removeEventListener("visibilitychange", tell);
  }, [newest, looking]);
}
