import { IconInfoCircle } from "@tabler/icons-react";
import classes from "./hint.module.css";

/** A quiet explanation next to what it explains. */
export function Hint({ id, children }: { id?: string; children: React.ReactNode }) {
  return (
    <p className={classes.hint} id={id}>
      <IconInfoCircle size={18} stroke={1.6} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
