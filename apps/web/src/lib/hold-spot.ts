const HELD_MS = 400;
/** A finger's second press lands this near the first one. */
const SIZE_PX = 32;
const PRESSABLE = "a, button, input, select, textarea, label, [role^=menuitem], [role=option], [role=tab]";

const pressableOf = (element: Element | null) => element?.closest<HTMLElement>(PRESSABLE) ?? null;
/** What a press on it means: a button that switches something back is another one. */
const meaningOf = (element: HTMLElement | null) =>
  `${element?.ariaLabel ?? element?.textContent} ${element?.getAttribute("aria-pressed")}`;

/** A press, and what it met. */
interface Press {
  x: number;
  y: number;
  pressed: HTMLElement | null;
  meaning: string;
  /** ms, when the finger was there: a busy page learns of it later. */
  at: number;
}

const pressOf = ({ clientX, clientY, target, timeStamp }: MouseEvent): Press => {
  const pressed = pressableOf(target as Element);
  return { x: clientX, y: clientY, pressed, meaning: meaningOf(pressed), at: timeStamp };
};

/** Whether something else is now where it was pressed. Without layout, as in tests, nothing is. */
function isCovered({ x, y, pressed, meaning }: Press): boolean {
  const top = document.elementFromPoint?.(x, y) ?? null;
  const under = pressableOf(top);
  return top !== null && (under !== pressed || meaningOf(under) !== meaning);
}

const isRepeated = (first: Press, { clientX, clientY, timeStamp }: MouseEvent) =>
  timeStamp - first.at < HELD_MS && Math.max(Math.abs(clientX - first.x), Math.abs(clientY - first.y)) <= SIZE_PX / 2;

/**
 * A second press right after the first was meant for what was there before. When a dialog, what surrounds it, a menu, a row or a
 * screen comes under the spot just pressed, what covered it goes, or a button now switches back, the spot takes no press until 400 ms
 * after the first.
 * @returns ends it
 */
export function holdSpot(): () => void {
  const shield = document.createElement("div");
  // The focus stays where it is.
  shield.addEventListener("mousedown", (event) => event.preventDefault());
  let looking = 0;
  let first: Press | null = null;
  const end = () => {
    cancelAnimationFrame(looking);
    shield.remove();
  };
  const onPress = (event: MouseEvent) => {
    // Keys press what has the focus, wherever that is.
    if (event.detail === 0) return end();
    // The shield is gone by now if the page was too busy to take the press in time.
    if (first !== null && isRepeated(first, event) && isCovered(first)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    end();
    const press = pressOf(event);
    first = press;
    const until = performance.now() + HELD_MS;
    const look = () => {
      if (performance.now() >= until) return end();
      looking = requestAnimationFrame(look);
      if (shield.isConnected || !isCovered(press)) return;
      shield.style.cssText = `position:fixed;z-index:9999;width:${SIZE_PX}px;height:${SIZE_PX}px;left:${press.x - SIZE_PX / 2}px;top:${press.y - SIZE_PX / 2}px`;
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
