import classes from "./lines.module.css";
import { Ring, type RingState } from "./ring.tsx";

/** A short list in a panel or a dialog. */
export const Lines = ({ children }: { children: React.ReactNode }) => <ul className={classes.lines}>{children}</ul>;

interface Props {
  ring?: RingState;
  /** At the very left: a box to select it by. */
  before?: React.ReactNode;
  /** The name in <b> or a link, and details in spans below. */
  children: React.ReactNode;
  /** The amount or time, on the right. A span in it is its second line. */
  much?: React.ReactNode;
  /** Its actions, at the far right. */
  act?: React.ReactNode;
  /** Below both, as wide as the list. */
  below?: React.ReactNode;
}

export const Line = ({ ring, before, children, much, act, below }: Props) => (
  <li>
    {before}
    {ring && <Ring state={ring} size={20} />}
    <span className={classes.what}>{children}</span>
    {much && <span className={classes.much}>{much}</span>}
    {act && <span className={classes.act}>{act}</span>}
    {below && <div className={classes.below}>{below}</div>}
  </li>
);
