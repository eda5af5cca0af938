import classes from "./banner.module.css";
import { Ring } from "./ring.tsx";

type Props = {
  tone: "move" | "broken";
  title: React.ReactNode;
  children?: React.ReactNode;
  action?: React.ReactNode;
  /** Broken things interrupt a screen reader; a reminder only waits its turn. */
  live?: boolean;
};

/** One sentence with a coloured edge: brass when it is the person's move, red when something is broken. */
export function Banner({ tone, title, children, action, live = false }: Props) {
  return (
    <div className={classes.banner} data-tone={tone} role={live ? (tone === "broken" ? "alert" : "status") : undefined}>
      <Ring state={tone === "move" ? "warn" : "bad"} size={22} />
      <div className={classes.words}>
        <p className={children ? classes.title : undefined}>{title}</p>
        {children && <div className={classes.more}>{children}</div>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
