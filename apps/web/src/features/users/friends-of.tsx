import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dayText } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { useUsersWords } from "../../lib/i18n/users.ts";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Ring } from "../../ui/ring.tsx";
import { useViewed } from "../staff/index.ts";
import classes from "./member-page.module.css";
import { Panel } from "./panel.tsx";
import { friendsOfQuery } from "./queries.ts";

/** Whom a member invited, and who of them counts for his free subscription. */
export function FriendsOf({ memberId, nowMs }: { memberId: string; nowMs: number }) {
  const { page: words } = useUsersWords();
  const { text, language } = useSpeech();
  const { viewedRole } = useViewed();
  const friends = useQuery(friendsOfQuery(memberId, viewedRole));
  return (
    <Panel id="friends" title={words.friends} count={friends.data?.length || undefined}>
      {friends.isError && (
        <LoadFailed title={words.friendsFailed} error={friends.error} onRetry={() => void friends.refetch()} />
      )}
      {friends.data?.length === 0 && <p className={classes.lead}>{words.noFriends}</p>}
      <ul className={classes.rows}>
        {friends.data?.map(({ id, displayName, joinedAt, counts, reasonWhyNot }) => (
          <li key={id}>
            <Ring state={counts ? "done" : "idle"} size={20} />
            <span className={classes.what}>
              <Link to="/admin/$" params={{ _splat: `users/${id}` }} className={`${classes.link} k-focus`}>
                {displayName}
              </Link>
              <span>{counts || reasonWhyNot === null ? words.counts : words.reasons[reasonWhyNot]}</span>
            </span>
            <span className={classes.much}>{dayText(joinedAt, nowMs, language, text.age)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
