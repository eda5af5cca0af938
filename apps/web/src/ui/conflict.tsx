import { useEffect, useRef } from "react";
import { Banner } from "./banner.tsx";
import classes from "./conflict.module.css";

interface Props {
  /** The conflict that was found. A new one is shown again. */
  found: unknown;
  title: string;
  /** What saving again does. */
  more: string;
  /** The fields' current values. */
  children: React.ReactNode;
}

/**
 * Somebody else has changed what a form edits. It appears above the fields and scrolls into view, because the save button is below
 * them.
 */
export function Conflict({ found, title, more, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conflict
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the effect's cleanup.
    void place.current?.scrollIntoView({ block: "nearest" });
  }, [found]);
  return (
    <div ref={place} className={classes.place}>
      <Banner tone="move" live title={title}>
        {children}
        <p>{more}</p>
      </Banner>
    </div>
  );
}
