/** The first thing inside that Tab reaches. */
export const firstFocusable = (place: Element) =>
  place.querySelector<HTMLElement>(":is(a[href], button, input, select, textarea, [tabindex='0']):not(:disabled)");
