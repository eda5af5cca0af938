import { useQuery } from "@tanstack/react-query";
import { useFrame } from "../staff/index.ts";
import { waitingQuery } from "./queries.ts";
import classes from "./waiting-count.module.css";
import { useStaffSupportWords } from "./words.ts";

const MOST_SHOWN = 99;

/** How many conversations have something unseen, beside the section's name. */
export function WaitingCount() {
  const words = useStaffSupportWords();
  const { viewedRole, entered } = useFrame();
  const unread = useQuery({ ...waitingQuery(viewedRole), enabled: entered }).data?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}</span>
      <span className="k-spoken">, {words.waiting(unread)}</span>
    </span>
  );
}
