import { useEffect, useRef, useState } from "react";
import classes from "./form.module.css";
import { Ring } from "./ring.tsx";

interface Props {
  bad?: string | null | undefined;
  good?: string | null | undefined;
  /** What to do about `bad`. */
  more?: React.ReactNode;
}

/**
 * A form's result. Both places are in the page from the start, so that screen readers announce what appears. An error scrolls into
 * view, and disappears once its form changes.
 */
export function FormMessage({ bad, good, more }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isAnswered, setIsAnswered] = useState(false);
  useEffect(() => {
    setIsAnswered(false);
    if (!bad) return;
    place.current?.scrollIntoView({ block: "nearest" });
    const form = place.current?.closest("form");
    const stop = new AbortController();
    form?.addEventListener("input", () => setIsAnswered(true), { signal: stop.signal });
    // Refused again for the same reason.
    form?.addEventListener("submit", () => setIsAnswered(false), { signal: stop.signal });
    return () => stop.abort();
  }, [bad]);
  return (
    <div ref={place}>
      <div role="alert">
        {bad && !isAnswered && (
          <p className={classes.bad}>
            <Ring state="bad" size={20} />
            {bad}
          </p>
        )}
        {bad && !isAnswered && more}
      </div>
      <div role="status">
        {good && (
          <p className={classes.good}>
            <Ring state="done" size={20} />
            {good}
          </p>
        )}
      </div>
    </div>
  );
}
