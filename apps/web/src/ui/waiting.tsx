import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "./ring.tsx";
import classes from "./waiting.module.css";

interface Props {
  /** What is awaited, if more than 'Loading'. */
  label?: string;
  /** The height of what will come, px, so that nothing jumps. */
  room?: number;
}

/** The place of something that is not here yet. */
export function Waiting({ label, room = 160 }: Props) {
  const { common } = useText();
  return (
    <div className={classes.waiting} style={{ minHeight: room }} role="status" aria-label={label ?? common.loading}>
      <Ring state="wait" size={room < 160 ? 32 : 40} />
    </div>
  );
}
