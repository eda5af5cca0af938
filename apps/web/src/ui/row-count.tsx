import classes from "./row-count.module.css";

const MOST_SHOWN = 99;

/** At the end of a row: how much is waiting there. With 0 there is no badge. */
export function RowCount({ count, spoken, bad = false }: { count: number; spoken: string; bad?: boolean }) {
  if (count === 0) return null;
  return (
    <span className={classes.count} data-bad={bad || undefined}>
      <span aria-hidden="true">{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
      <span className="k-spoken">, {spoken}</span>
    </span>
  );
}
