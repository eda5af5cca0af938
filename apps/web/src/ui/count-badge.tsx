import classes from "./count-badge.module.css";

/** A larger number cannot be read at a glance. */
const MOST_SHOWN = 99;

interface Props {
  /** With 0 there is no badge. */
  count: number;
  /** What screen readers announce instead of the number; absent if its button says it. */
  spoken?: string;
  /** On the corner of a round button. */
  corner?: boolean;
}

/** How many are unseen. */
export function CountBadge({ count, spoken, corner = false }: Props) {
  if (count === 0) return null;
  return (
    <span className={classes.badge} data-corner={corner || undefined}>
      <span aria-hidden="true">{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
      {spoken && <span className="k-spoken">{spoken}</span>}
    </span>
  );
}
