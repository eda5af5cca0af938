import classes from "./chart.module.css";

interface Props {
  title: string;
  /** What it shows, in words. */
  summary: string;
  /** Of the dashed line. */
  more?: string;
  children: React.ReactNode;
}

/** A drawing over time with its words. */
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
