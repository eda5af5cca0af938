import { Ring } from "../../../ui/ring.tsx";
import classes from "./device-card.module.css";

/** Reserves a card's place while its data loads. */
export function CardSkeleton() {
  return (
    <div className={`${classes.card} ${classes.skeleton}`} aria-hidden="true">
      <div className={classes.head}>
        <Ring state="never" size={28} />
        <div className={classes.names}>
          <span className={classes.bar} style={{ width: "55%", marginTop: 4 }} />
          <span className={classes.bar} style={{ width: "75%", marginTop: 10 }} />
        </div>
      </div>
      <div className={classes.notes} />
      <div className={classes.meta}>
        <span className={classes.bar} style={{ width: "40%" }} />
      </div>
      <div className={classes.actions}>
        <span className={classes.bar} style={{ width: 108, height: 44, borderRadius: 6 }} />
        <span className={classes.bar} style={{ width: 113, height: 44, borderRadius: 6 }} />
      </div>
    </div>
  );
}
