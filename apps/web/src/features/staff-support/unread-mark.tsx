import { useStaffSupportWords } from "../../lib/i18n/staff-support.ts";
import classes from "./desk-list.module.css";

/** How many of a member's messages nobody has seen; nothing where there are none. */
export function UnreadMark({ count }: { count: number }) {
  const words = useStaffSupportWords();
  if (count === 0) return null;
  return (
    <span className={classes.unread}>
      <span aria-hidden="true">{count}</span>
      <span className="k-spoken">{words.unread(count)}</span>
    </span>
  );
}
