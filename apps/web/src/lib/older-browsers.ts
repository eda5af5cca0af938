/*
 * Methods that the pages use and the oldest browsers of members lack (ADR 120): Safari 15.6 on an iPhone 7, Chrome 109 and Firefox
 * 115 on Windows 7. Includes what libraries use. Checked by e2e/older-browsers.soak.test.ts.
 */

/** Adds the missing ones as the standard defines them: not enumerable. */
function add(to: object, methods: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(methods))
    if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true });
}

add(Array.prototype, {
  toReversed(this: unknown[]) {
    return [...this].reverse();
  },
  toSorted(this: unknown[], compare?: (one: unknown, other: unknown) => number) {
    return [...this].sort(compare);
  },
  toSpliced(this: unknown[], ...how: [start: number, deleted: number, ...added: unknown[]]) {
    const copy = [...this];
    copy.splice(...how);
    return copy;
  },
});

add(AbortSignal, {
  timeout(ms: number) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
    return controller.signal;
  },
  any(signals: readonly AbortSignal[]) {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason);
      signal.addEventListener("abort", () => controller.abort(signal.reason), { signal: controller.signal });
    }
    return controller.signal;
  },
});

add(URL, {
  canParse(address: string, base?: string) {
    try {
      return Boolean(new URL(address, base));
    } catch {
      return false;
    }
  },
});
