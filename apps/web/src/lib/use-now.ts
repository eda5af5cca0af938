import { useEffect, useState } from "react";
import { clubNow, onCorrection } from "./club-clock.ts";

/** The club's present, updated every `everyMs` while `running`, and whenever the panel corrects it. */
export function useNow(everyMs: number, running = true): number {
  const [now, setNow] = useState(clubNow);
  const [wasRunning, setWasRunning] = useState(running);
  if (running !== wasRunning) {
    // An effect would be too late: a countdown would be drawn once with the time at which it last stopped.
    setWasRunning(running);
    if (running) setNow(clubNow());
  }
  useEffect(() => onCorrection(() => setNow(clubNow())), []);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(clubNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}
