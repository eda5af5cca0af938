import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "./ring.tsx";
import classes from "./waiting.module.css";

interface Props {
  /** What is loading, if more than 'Loading'. */
  label?: string;
  /** The height of what will load, px, so that nothing jumps. */
  room?: number;
}

/** A placeholder for what has not loaded yet. */
export function Waiting({ label, room = 160 }: Props) {
  const { common } = useText();
  return (
    <div className={classes.waiting} style={{ minHeight: room }} role="status" aria-label={label ?? common.loading}>
      <Ring state="wait" size={room < 160 ? 32 : 40} />
    </div>
  );
}
