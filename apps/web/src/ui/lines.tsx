import classes from "./lines.module.css";
import { Ring, type RingState } from "./ring.tsx";

/** A short list in a panel or a dialog. */
export const Lines = ({ children }: { children: React.ReactNode }) => <ul className={classes.lines}>{children}</ul>;

interface Props {
  ring?: RingState;
  /** The name in <b> or a link, and details in spans below. */
  children: React.ReactNode;
  /** How much or when, on the right; a span in it is its second line. */
  much?: React.ReactNode;
  /** Below both, as wide as the list. */
  below?: React.ReactNode;
}

export const Line = ({ ring, children, much, below }: Props) => (
  <li>
    {ring && <Ring state={ring} size={20} />}
    <span className={classes.what}>{children}</span>
    {much && <span className={classes.much}>{much}</span>}
    {below && <div className={classes.below}>{below}</div>}
  </li>
);
