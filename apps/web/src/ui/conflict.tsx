import { useEffect, useRef } from "react";
import { Banner } from "./banner.tsx";
import classes from "./conflict.module.css";

interface Props {
  /** What was found; a new finding is shown again. */
  found: unknown;
  title: string;
  /** What saving again does. */
  more: string;
  /** What the fields are now. */
  children: React.ReactNode;
}

/** Somebody else has changed what a form is about. It stands above the fields and comes into sight, because one saves below them. */
export function Conflict({ found, title, more, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conflict
  useEffect(() => {
    // Newer browsers answer a promise, which is no way to undo an effect.
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
