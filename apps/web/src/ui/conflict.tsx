import { useEffect, useRef } from "react";
import { Banner } from "./banner.tsx";
import classes from "./conflict.module.css";
import { useEditWords } from "./edit-words.ts";

interface Props {
  /** The conflict that was found. A new one is shown again. */
  found: unknown;
  title: string;
  /** The fields with their current values. */
  now?: readonly (readonly [field: string, value: string])[];
  children?: React.ReactNode;
}

/**
 * Somebody else has changed what a form edits. It appears above the fields and scrolls into view, because the save button is below
 * them.
 */
export function Conflict({ found, title, now = [], children }: Props) {
  const words = useEditWords();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conflict
  useEffect(() => {
    // Newer browsers return a promise, which React would take for the effect's cleanup.
    void place.current?.scrollIntoView({ block: "nearest" });
  }, [found]);
  return (
    <div ref={place} className={classes.place}>
      <Banner tone="move" live title={title}>
        {now.map(([field, value]) => (
          <p key={field} className={classes.value}>{`${field}: ${value}`}</p>
        ))}
        {children}
        <p>{words.conflictMore}</p>
      </Banner>
    </div>
  );
}
