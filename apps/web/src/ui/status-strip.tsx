import { Ring, type RingState } from "./ring.tsx";
import classes from "./status-strip.module.css";

/** A strip with a ring, a word and an explanation. Changes in it are announced. */
export function StatusStrip({ ring, title, children }: { ring: RingState; title: string; children?: React.ReactNode }) {
  return (
    <div className={classes.strip} data-ring={ring} role="status">
      <Ring state={ring} size={32} />
      <div>
        <p className={classes.title}>{title}</p>
        {children && <p className={classes.more}>{children}</p>}
      </div>
    </div>
  );
}
