import { useQuery } from "@tanstack/react-query";
import { RowCount } from "../../../ui/row-count.tsx";
import { useFrame } from "../../club/staff/index.ts";
import { waitingQuery } from "./queries.ts";
import { useStaffSupportWords } from "./words.ts";

/** How many conversations have something unseen, next to the section's name. */
export function WaitingCount() {
  const words = useStaffSupportWords();
  const { viewedRole, entered } = useFrame();
  const unread = useQuery({ ...waitingQuery(viewedRole), enabled: entered }).data?.unread ?? 0;
  return <RowCount count={unread} spoken={words.waiting(unread)} />;
}
