import { useEffect, useRef, useState } from "react";

/** Within this distance of its end a text counts as scrolled to the bottom (specification, member's side 9). */
const BOTTOM_TOLERANCE_PX = 10;
/** A section counts as the one being read if its heading is within this distance of the top. */
const HEAD_PX = 40;
const LIST_EDGE_PX = 12;

/** How far a scrolling text has been read. What fits without scrolling counts as read. */
export function useReading(sections: number) {
  const text = useRef<HTMLElement>(null);
  const contents = useRef<HTMLElement>(null);
  const parts = useRef<(HTMLElement | null)[]>([]);
  const [section, setSection] = useState(0);
  const [wholeSeen, setWholeSeen] = useState(false);

  const look = () => {
    const place = text.current;
    if (!place) return;
    const atBottom = place.scrollHeight - place.scrollTop - place.clientHeight <= BOTTOM_TOLERANCE_PX;
    if (atBottom) setWholeSeen(true);
    const begun = parts.current.filter((part) => part && part.offsetTop <= place.scrollTop + HEAD_PX).length;
    // The last sections may be too short to ever reach the top.
    const fits = place.scrollHeight <= place.clientHeight;
    setSection(atBottom && !fits ? sections - 1 : Math.max(0, begun - 1));
  };
  const latest = useRef(look);
  latest.current = look;

  useEffect(() => {
    const place = text.current;
    if (!place) return;
    // A larger window, or a turned phone, may show all of it. The observer also reports the initial size.
    const watch = new ResizeObserver(() => latest.current());
    watch.observe(place);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    // On a phone the list is one line, longer than the screen: keeps the section being read in view.
    const entry = contents.current?.querySelectorAll<HTMLElement>("li")[section];
    if (contents.current && entry) contents.current.scrollLeft = entry.offsetLeft - LIST_EDGE_PX;
  }, [section]);

  return {
    text,
    contents,
    part: (index: number) => (element: HTMLElement | null) => {
      parts.current[index] = element;
    },
    section,
    wholeSeen,
    look,
    jump(index: number) {
      const part = parts.current[index];
      if (!part || !text.current) return;
      text.current.scrollTop = part.offsetTop;
      part.querySelector("h3")?.focus({ preventScroll: true });
    },
  };
}
