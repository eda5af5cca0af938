import { useEffect, useState } from "react";

/** The current time, updated every `everyMs` while `running`. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now());
  const [wasRunning, setWasRunning] = useState(running);
  if (running !== wasRunning) {
    // In an effect this would be too late: a countdown would be drawn once with the time at which it last stood still.
    setWasRunning(running);
    if (running) setNow(Date.now());
  }
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}
