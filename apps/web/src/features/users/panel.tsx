import classes from "./member-page.module.css";

interface Props {
  id: string;
  title: string;
  count?: number | string | undefined;
  action?: React.ReactNode;
  children: React.ReactNode;
}

/** One part of a member's page. */
export function Panel({ id, title, count, action, children }: Props) {
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.panelHead}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className={classes.count}>{count}</span>}
        {action}
      </div>
      {children}
    </section>
  );
}
