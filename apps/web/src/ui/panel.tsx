import { useId } from "react";
import classes from "./panel.module.css";

interface Props {
  title: string;
  /** How many items it lists. */
  count?: number | string | undefined;
  /** Next to the title: a button at the far end. */
  beside?: React.ReactNode;
  /** Its content is loading. */
  busy?: boolean;
  /** Actions here destroy something. */
  danger?: boolean;
  className?: string | undefined;
  children: React.ReactNode;
}

/** One section of a screen, named by its heading. */
export function Panel({ title, count, beside, busy, danger, className = "", children }: Props) {
  const id = useId();
  return (
    <section
      className={`${classes.panel} ${className}`}
      aria-labelledby={id}
      aria-busy={busy}
      data-danger={danger || undefined}
    >
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className={classes.count}>{count}</span>}
        {beside}
      </div>
      {children}
    </section>
  );
}

interface ColumnsProps {
  /** From 1024 px on: two of one width, a column of 336 px on the right, or a narrower one first. */
  shape: "halves" | "aside" | "narrow-first";
  children: React.ReactNode;
}

/**
 * Panels next to each other if there is room, row by row. A `div` in it is a column of panels, with `data-beside` the one on the
 * right of two rows.
 */
export const Columns = ({ shape, children }: ColumnsProps) => (
  <div className={classes.columns} data-shape={shape}>
    {children}
  </div>
);
