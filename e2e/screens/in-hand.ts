import type { Stage } from "./stage.ts";

/** Makes the page believe it runs on a handheld, whatever the window's size: a phone cannot scan a code off itself. */
export async function inHand({ page, afterwards }: Stage): Promise<void> {
  const told = await page.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (media) => real(media.startsWith("(pointer: coarse)") ? "all" : media);
  });
  afterwards.push(() => told.dispose());
}
