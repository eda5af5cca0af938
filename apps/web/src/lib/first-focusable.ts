const FOCUSABLE = ":is(a[href], button, input, select, textarea, [tabindex='0']):not(:disabled)";

/** The first element inside that Tab reaches. */
export function firstFocusable(place: Element): HTMLElement | null {
  const all = [...place.querySelectorAll<HTMLElement>(FOCUSABLE)];
  // Elements for another width exist but are hidden. Without layout, as in tests, checkVisibility is missing.
  return all.find((one) => one.checkVisibility?.() ?? true) ?? null;
}
