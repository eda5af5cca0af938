import { useEffect, useRef, useState } from "react";

/** The current time, updated every `everyMs` while `running`. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now());
  const isFirst = useRef(true);
  useEffect(() => {
    // After a rest it is late; at the start it is not, and drawing the page twice would only take time.
    const isLate = !isFirst.current;
    isFirst.current = false;
    if (!running) return;
    if (isLate) setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}
