import classes from "./banner.module.css";
import { Ring } from "./ring.tsx";

type Props = {
  tone: "move" | "broken";
  title: React.ReactNode;
  children?: React.ReactNode;
  action?: React.ReactNode;
  /** True interrupts a screen reader, for broken things. A reminder waits its turn. */
  live?: boolean;
};

/** One sentence with a coloured edge: brass if the person has to act, red if something is broken. */
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
