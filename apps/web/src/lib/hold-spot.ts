const HELD_MS = 400;
/** A finger's second press lands this near the first one. */
const SIZE_PX = 32;
const PRESSABLE = "a, button, input, select, textarea, label, [role^=menuitem], [role=option], [role=tab]";

const pressableOf = (element: Element | null) => element?.closest<HTMLElement>(PRESSABLE) ?? null;
const nameOf = (element: HTMLElement | null) => element?.ariaLabel ?? element?.textContent;

/**
 * A second press right after the first was meant for what was there before. When a dialog, what surrounds it, a menu, a row or a
 * screen comes under the spot just pressed, or what covered it goes, the spot takes no press until 400 ms after the first.
 * @returns ends it
 */
export function holdSpot(): () => void {
  const shield = document.createElement("div");
  // The focus stays where it is.
  shield.addEventListener("mousedown", (event) => event.preventDefault());
  let looking = 0;
  const end = () => {
    cancelAnimationFrame(looking);
    shield.remove();
  };
  const onPress = ({ clientX, clientY, target, detail }: MouseEvent) => {
    end();
    // Keys press what has the focus, wherever that is.
    if (detail === 0) return;
    const pressed = pressableOf(target as Element);
    const name = nameOf(pressed);
    const until = performance.now() + HELD_MS;
    const look = () => {
      if (performance.now() >= until) return end();
      looking = requestAnimationFrame(look);
      if (shield.isConnected) return;
      // Without layout, as in tests, it is missing.
      const top = document.elementFromPoint?.(clientX, clientY) ?? null;
      const under = pressableOf(top);
      if (top === null || (under === pressed && nameOf(under) === name)) return;
      shield.style.cssText = `position:fixed;z-index:9999;width:${SIZE_PX}px;height:${SIZE_PX}px;left:${clientX - SIZE_PX / 2}px;top:${clientY - SIZE_PX / 2}px`;
      document.body.append(shield);
    };
    looking = requestAnimationFrame(look);
  };
  document.addEventListener("click", onPress, true);
  return () => {
    document.removeEventListener("click", onPress, true);
    end();
  };
}
