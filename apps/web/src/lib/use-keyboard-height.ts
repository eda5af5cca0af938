import { useEffect, useState } from "react";

/** Height of what a phone's keyboard covers, px: the window itself keeps its size under it. */
export function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const measure = () =>
      // Pinching makes the visible part smaller too, and covers nothing.
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
