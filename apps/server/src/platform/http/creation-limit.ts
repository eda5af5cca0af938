import type { Clock } from "../clock.ts";

const WINDOW_MS = 60_000;
const PER_WINDOW = 60;

/**
 * Creations: 60 a minute per member (decisions, section 2). Kept in memory: it spares the machine, and no right hangs on it.
 * Answers ms to wait, 0 when the creation may go on.
 */
export function makeCreationLimit(clock: Clock): (memberId: string) => number {
  const recent = new Map<string, number[]>();
  return (memberId) => {
    const now = clock.now().getTime();
    if (recent.size > 10_000)
      for (const [id, times] of recent) if ((times.at(-1) ?? 0) <= now - WINDOW_MS) recent.delete(id);
    const times = (recent.get(memberId) ?? []).filter((at) => at > now - WINDOW_MS);
    recent.set(memberId, times);
    if (times.length >= PER_WINDOW) return (times[0] ?? now) + WINDOW_MS - now;
    times.push(now);
    return 0;
  };
}
