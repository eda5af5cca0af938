import { useEffect, useRef, useState } from "react";
import { explain, withReason } from "../lib/api.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import classes from "./form.module.css";
import { Ring } from "./ring.tsx";

export interface Problem {
  bad?: string | null | undefined;
  /** Instead of `bad`: why something `failed`, in the panel's words. */
  error?: unknown;
  failed?: string;
  /** What failed is said too (specification, operator's side 8). */
  reason?: boolean;
}

interface Props extends Problem {
  good?: string | null | undefined;
  /** What to do about `bad`. */
  more?: React.ReactNode;
}

/**
 * A form's result. Both places are in the page from the start, so that screen readers announce what appears. An error scrolls into
 * view, and disappears once its form changes.
 */
export function FormMessage({ good, more, ...problem }: Props) {
  const { failure } = useText();
  const { error, failed = "", reason } = problem;
  const says = reason ? withReason(failed, error, failure.silent) : explain(error, failed, failure.silent);
  const bad = error ? says : problem.bad;
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
