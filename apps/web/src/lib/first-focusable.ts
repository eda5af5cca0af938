const FOCUSABLE = ":is(a[href], button, input, select, textarea, [tabindex='0']):not(:disabled)";

/** The first thing inside that Tab reaches. */
export function firstFocusable(place: Element): HTMLElement | null {
  const all = [...place.querySelectorAll<HTMLElement>(FOCUSABLE)];
  // What belongs to another width is there and not shown. Nothing is shown where nothing is laid out, as in tests.
  return all.find((one) => one.checkVisibility?.() ?? true) ?? null;
}
