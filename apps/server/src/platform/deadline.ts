/**
 * Ends with `signal`, and `ms` from now at the latest. By a timer of its own: Node may collect AbortSignal.timeout below
 * AbortSignal.any before its time, and then it never fires.
 */
export function endingWithin(ms: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(), ms).unref();
  return AbortSignal.any([signal, late.signal]);
}
