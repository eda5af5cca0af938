import { useEffect } from "react";
import { usePart } from "./use-part.ts";

/** How long after its opening a page may still focus its heading. */
const SETTLING_MS = 1_000;

/** Scrolls to the setting that a link names with `set`, once its form has loaded. */
export function useSoughtField() {
  const { asked, change } = usePart();
  const sought = asked.set;
  useEffect(() => {
    const field = sought === undefined ? undefined : document.getElementsByName(sought)[0];
    if (field === undefined) return;
    field.focus();
    change({ set: null });
    // The router may focus a new page later.
    const insist = ({ target }: FocusEvent) => {
      if (target instanceof HTMLHeadingElement) field.focus();
    };
    document.addEventListener("focusin", insist);
    setTimeout(() => document.removeEventListener("focusin", insist), SETTLING_MS);
  }, [sought, change]);
}
