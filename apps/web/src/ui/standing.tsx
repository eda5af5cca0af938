import { Ring, type RingState } from "./ring.tsx";
import classes from "./standing.module.css";

/** Connected or done; somebody's move; broken or blocked; none of these. */
export type Tone = "good" | "move" | "bad" | null;

interface Props {
  tone: Tone;
  /** Absent where the ring stands elsewhere, as before a card. */
  ring?: RingState | undefined;
  children: React.ReactNode;
}

/** How a thing stands, in words of its colour, with its ring. */
export const Standing = ({ tone, ring, children }: Props) => (
  <span className={classes.standing} data-tone={tone ?? undefined}>
    {ring && <Ring state={ring} size={20} />}
    {children}
  </span>
);
