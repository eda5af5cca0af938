import { useEffect, useState } from "react";

/** This share of an interval is not seen. */
const FRESH = 0.1;

/** The current time, updated every `everyMs` while `running`. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    // After a rest it is late; at the start it is not, and drawing the page twice would only take time.
    setNow((known) => (Date.now() - known < everyMs * FRESH ? known : Date.now()));
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}
