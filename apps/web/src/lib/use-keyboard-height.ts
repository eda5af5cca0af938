import { useEffect, useState } from "react";

/** Height covered by a phone's keyboard, px. The window itself does not shrink. */
export function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const measure = () =>
      // Pinching also shrinks the visible part, but covers nothing.
      setHeight(seen.scale > 1 ? 0 : Math.max(0, Math.round(window.innerHeight - seen.height - seen.offsetTop)));
    measure();
    seen.addEventListener("resize", measure);
    seen.addEventListener("scroll", measure);
    return () => {
      seen.removeEventListener("resize", measure);
      seen.removeEventListener("scroll", measure);
    };
  }, []);
  return height;
}
