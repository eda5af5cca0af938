import { REFERRAL_FRIENDS } from "@krug/domain/referral";
import { useQuery } from "@tanstack/react-query";
import { clubDay, leftText, writtenDay } from "../../../lib/format.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import { Arcs } from "../../../ui/arcs.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import classes from "./invite-dialog.module.css";
import { type Friend, friendsQuery } from "./queries.ts";

/** Progress towards the free subscription, and why each friend counts or not. */
export function Friends({ memberId }: { memberId: string }) {
  const { friends } = useCircle();
  const list = useQuery(friendsQuery(memberId, true));
  const { data } = list;
  if (list.isError && !data)
    return <LoadFailed title={friends.listFailed} error={list.error} onRetry={() => void list.refetch()} />;
  const counting = Math.min(REFERRAL_FRIENDS, data?.filter(({ counts }) => counts).length ?? 0);
  return (
    <section className={classes.friends} aria-labelledby="invited-friends" aria-busy={list.isPending}>
      <h3 id="invited-friends" className="k-spoken">
        {friends.listTitle}
      </h3>
      <div className={classes.progress}>
        <span className={classes.wheel}>
          <Arcs count={counting} size={76} thickness={6} />
          {data && <span className={classes.figures}>{friends.progress(counting, REFERRAL_FRIENDS)}</span>}
        </span>
        <div role="status">
          {data && (
            <>
              <p className={classes.toGo}>{friends.toGo[REFERRAL_FRIENDS - counting]}</p>
              <p className={classes.terms}>{friends.toGoMore}</p>
            </>
          )}
        </div>
      </div>
      {data?.length === 0 ? (
        <p className={classes.terms}>{friends.empty}</p>
      ) : (
        <ul className={classes.list}>
          {data?.map((friend) => (
            <FriendRow key={friend.id} friend={friend} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FriendRow({ friend }: { friend: Friend }) {
  const { friends } = useCircle();
  const { language } = useSpeech();
  const text = useMemberText();
  const nowMs = useNow(60_000);
  const until = friend.subscriptionUntil;
  let words = until === null ? friends.counts : friends.countsUntil(writtenDay(clubDay(until), nowMs, language));
  if (friend.reasonWhyNot !== null) {
    words = friends.why[friend.reasonWhyNot];
    if (friend.reasonWhyNot === "on_trial" && until !== null) words += `, ${leftText(Date.parse(until), nowMs, text)}`;
  }
  return (
    <li className={classes.friend}>
      <Ring state={friend.counts ? "done" : "never"} />
      <div className={classes.who}>
        <p className={classes.name}>{friend.displayName}</p>
        <p className={classes.terms}>{words}</p>
      </div>
    </li>
  );
}
