import { type RefObject, useEffect } from "react";
import { firstFocusable } from "../../../lib/first-focusable.ts";

/**
 * A focused element may disappear when it is used, such as a confirmed claim or a cleared search. Then the focus moves to what is
 * left around it, or to the page's heading, instead of the top of the page.
 */
export function useFocusInPlace(ref: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const root = ref.current;
    if (root === null) return;
    /** The focused element and its ancestors, from the inside out. */
    let places: Element[] = [];
    const note = ({ target }: Event) => {
      places = [];
      // A menu item opens a dialog, which manages the focus itself.
      if (!(target instanceof Element) || !root.contains(target) || target.closest("[role=menu]")) return;
      for (let at: Element | null = target; at !== null && at !== root; at = at.parentElement) places.push(at);
    };
    const watch = new MutationObserver(() => {
      const [lost, ...around] = places;
      if (!lost || lost.isConnected || document.activeElement !== document.body) return;
      places = [];
      const left = around.filter(({ isConnected }) => isConnected).map(firstFocusable);
      (left.find((one) => one !== null) ?? document.querySelector("h1"))?.focus();
    });
    watch.observe(root, { childList: true, subtree: true });
    for (const event of ["focusin", "pointerdown"]) document.addEventListener(event, note);
    return () => {
      watch.disconnect();
      for (const event of ["focusin", "pointerdown"]) document.removeEventListener(event, note);
    };
  }, [ref]);
}
