/** How a config's QR code is drawn, on the page and by the bot. User-side, section 7: error correction H, margin 1, scale 8. */
export const QR_MARGIN = 1;
export const QR_SCALE = 8;
/** Decisions, section 6: down to L if H is too small. */
const LEVELS = ["H", "Q", "M", "L"] as const;
export type QrLevel = (typeof LEVELS)[number];
/** More modules than this, on 320 px of a phone, are finer than cameras read well (2.4 px each). */
export const READABLE_MODULES = 133;

/**
 * The most robust code that holds the text and stays readable; the least dense one if none does; null if none holds it. `attempt`
 * returns null if the level is too small for the text; `size`: modules per side, without the margin.
 */
export function clearestQr<Drawing extends { size: number }>(
  attempt: (level: QrLevel) => Drawing | null,
): Drawing | null {
  let densest: Drawing | null = null;
  for (const level of LEVELS) {
    const drawing = attempt(level);
    if (drawing && drawing.size <= READABLE_MODULES) return drawing;
    densest = drawing ?? densest;
  }
  return densest;
}
