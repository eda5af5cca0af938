import { useQuery } from "@tanstack/react-query";
import { dayText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { StaffLink, useViewed } from "../../club/staff/index.ts";
import { friendsOfQuery } from "./queries.ts";
import { useUsersWords } from "./words.ts";

/** Members that this member invited, and whether each counts for the free subscription. */
export function FriendsOf({ memberId, nowMs }: { memberId: string; nowMs: number }) {
  const { page: words } = useUsersWords();
  const { text, language } = useSpeech();
  const { viewedRole } = useViewed();
  const friends = useQuery(friendsOfQuery(memberId, viewedRole));
  return (
    <Panel title={words.friends} count={friends.data?.length || undefined}>
      {friends.isError && (
        <LoadFailed title={words.friendsFailed} error={friends.error} onRetry={() => void friends.refetch()} />
      )}
      {friends.data?.length === 0 && <p className={cells.quiet}>{words.noFriends}</p>}
      <Lines>
        {friends.data?.map(({ id, displayName, joinedAt, counts, reasonWhyNot }) => (
          <Line key={id} ring={counts ? "done" : "idle"} much={dayText(joinedAt, nowMs, language, text.age)}>
            <StaffLink to={`users/${id}`} className={cells.link}>
              {displayName}
            </StaffLink>
            <span>{counts || reasonWhyNot === null ? words.counts : words.reasons[reasonWhyNot]}</span>
          </Line>
        ))}
      </Lines>
    </Panel>
  );
}
