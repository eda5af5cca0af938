import classes from "./chart.module.css";

interface Props {
  title: string;
  /** What it shows, in words. */
  summary: string;
  /** The dashed line's legend. */
  more?: string;
  children: React.ReactNode;
}

/** A chart over time with its text. */
export function Chart({ title, summary, more, children }: Props) {
  return (
    <section className={classes.chart}>
      <h3>{title}</h3>
      <p>
        {more !== undefined && <i className={classes.solid} aria-hidden="true" />}
        {summary}
      </p>
      {more !== undefined && (
        <p>
          <i className={classes.dashed} aria-hidden="true" />
          {more}
        </p>
      )}
      {children}
    </section>
  );
}
