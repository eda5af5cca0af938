import { useEffect } from "react";
import { ASKED, press } from "./code.ts";
import { keepForTab, keptForTab } from "./kept.ts";

const LOOK_EVERY_MS = 200;
/** The lists have to come first, and in staff's area the second factor. */
const GIVE_UP_MS = 60_000;
const PRESSABLE = "button, a, [role=menuitem]";

/** A button by what it is called, and which of those with that name it was. */
interface Press {
  name: string;
  index: number;
  count: number;
}
interface Asked {
  path: string;
  /** One after the other: the button of a menu, then its item. */
  presses: Press[];
}

const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;
const isShown = (element: Element) => element.getClientRects().length > 0;
const called = (name: string | null) =>
  [...document.querySelectorAll<HTMLElement>(PRESSABLE)].filter((one) => nameOf(one) === name && isShown(one));

function pressOf(element: Element): Press {
  const all = called(nameOf(element));
  return { name: nameOf(element) ?? "", index: all.indexOf(element as HTMLElement), count: all.length };
}

function note({ target }: MouseEvent) {
  const pressed = target instanceof Element ? target.closest(PRESSABLE) : null;
  // What stands in a dialog is gone after a reload.
  if (!pressed || pressed.closest("[role=dialog]")) return;
  const menu = pressed.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = menu ? document.getElementById(menu) : null;
  const asked: Asked = { path: location.pathname, presses: [...(opener ? [opener] : []), pressed].map(pressOf) };
  press.asked = JSON.stringify(asked);
  // What a press opens is mounted before the next task; what opens later, after a command for example, is not asked again.
  setTimeout(() => (press.asked = null));
}

/** For the frame of pages whose dialogs are fetched at the press that opens them. */
export const useAskedAgain = () => useEffect(watchPresses, []);

/** Notes what is pressed, and presses once more what a reload has taken away. Answers how to stop. */
export function watchPresses(): () => void {
  addEventListener("click", note, { capture: true });
  const stopAsking = askAgain();
  return () => {
    removeEventListener("click", note, { capture: true });
    stopAsking();
  };
}

function askAgain(): () => void {
  const kept = keptForTab(ASKED);
  keepForTab(ASKED, null);
  if (kept === null) return () => {};
  const { path, presses } = JSON.parse(kept) as Asked;
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const timer = setInterval(() => {
    const [next] = presses;
    if (!next || location.pathname !== path || performance.now() > giveUpAt) return stop();
    const found = called(next.name);
    if (found.length !== next.count || document.querySelector("[role=dialog]")) return;
    presses.shift();
    const button = found[next.index];
    // A menu whose button is out of sight does not show.
    button?.scrollIntoView({ block: "nearest" });
    button?.click();
  }, LOOK_EVERY_MS);
  // Somebody went on with something else.
  const giveUp = ({ isTrusted, target }: MouseEvent) => {
    if (isTrusted && target instanceof Element && !target.closest("[role=dialog]")) stop();
  };
  addEventListener("click", giveUp, { capture: true });
  function stop() {
    clearInterval(timer);
    removeEventListener("click", giveUp, { capture: true });
  }
  return stop;
}
