import { useStaffSupportWords } from "../../lib/i18n/staff-support.ts";
import { CountBadge } from "../../ui/count-badge.tsx";

/** How many of a member's messages nobody has seen; nothing where there are none. */
export function UnreadMark({ count }: { count: number }) {
  const words = useStaffSupportWords();
  return <CountBadge count={count} spoken={words.unread(count)} />;
}
