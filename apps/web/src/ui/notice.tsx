import classes from "./notice.module.css";
import { Ring, type RingState } from "./ring.tsx";

interface Props {
  ring: RingState;
  title: string;
  lead: string;
  alert?: boolean;
  children: React.ReactNode;
}

/** A page with one message and one way on. */
export function Notice({ ring, title, lead, alert = false, children }: Props) {
  return (
    <main className={classes.page}>
      <div role={alert ? "alert" : undefined}>
        <Ring state={ring} size={56} />
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      <div className={classes.ways}>{children}</div>
    </main>
  );
}
