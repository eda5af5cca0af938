import { Ring, type RingState } from "./ring.tsx";
import classes from "./standing.module.css";

/** Connected or done; the person has to act; broken or blocked; none of these. */
const TONES: Partial<Record<RingState, "good" | "move" | "bad">> = {
  on: "good",
  done: "good",
  wait: "move",
  warn: "move",
  bad: "bad",
};

interface Props {
  state: RingState;
  /** False if the ring is elsewhere, as before a card: then it is inline text. */
  ring: boolean;
  /** Without its colour. */
  quiet?: boolean;
  /** A remark: below, or inline after a comma. */
  note?: React.ReactNode;
  children: React.ReactNode;
}

/** A thing's state, as coloured text with its ring. */
export const Standing = ({ state, ring, quiet = false, note, children }: Props) => (
  <span className={classes.standing} data-tone={quiet ? undefined : TONES[state]} data-in-line={!ring || undefined}>
    {ring && <Ring state={state} size={20} />}
    <span>
      {children}
      {note && <span className={classes.note}>{note}</span>}
    </span>
  </span>
);
