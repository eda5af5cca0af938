import { CountBadge } from "../../../ui/count-badge.tsx";
import { useStaffSupportWords } from "./words.ts";

/** How many of a member's messages are unseen; nothing if there are none. */
export function UnreadMark({ count }: { count: number }) {
  const words = useStaffSupportWords();
  return <CountBadge count={count} spoken={words.unread(count)} />;
}
