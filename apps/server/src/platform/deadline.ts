/**
 * Aborts with `signal`, and `ms` from now at the latest. Uses its own timer: Node may garbage-collect AbortSignal.timeout below
 * AbortSignal.any early, and then it never fires.
 */
export function endingWithin(ms: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(), ms).unref();
  return AbortSignal.any([signal, late.signal]);
}
