import { Ring, type RingState } from "./ring.tsx";
import classes from "./standing.module.css";

/** Connected or done; the person has to act; broken or blocked; none of these. */
export type Tone = "good" | "move" | "bad" | null;

interface Props {
  tone: Tone;
  /** Absent if the ring is elsewhere, as before a card: then it is inline text. */
  ring?: RingState | undefined;
  /** A remark: below, or inline after a comma. */
  note?: React.ReactNode;
  children: React.ReactNode;
}

/** A thing's state, as coloured text with its ring. */
export const Standing = ({ tone, ring, note, children }: Props) => (
  <span className={classes.standing} data-tone={tone ?? undefined} data-in-line={ring === undefined || undefined}>
    {ring && <Ring state={ring} size={20} />}
    <span>
      {children}
      {note && <span className={classes.note}>{note}</span>}
    </span>
  </span>
);
