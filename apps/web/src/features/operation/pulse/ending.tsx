import { subscriptionLeft } from "@krug/domain/subscription-label";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import cells from "../../../ui/cells.module.css";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import type { Pulse } from "./queries.ts";
import { usePulseWords } from "./words.ts";

/** Members whose paid time ends within a week, the soonest first. */
export function Ending({ ending: { count, members } }: { ending: Pulse["ending"] }) {
  const { ending: words } = usePulseWords();
  const { language } = useSpeech();
  const nowMs = useNow(60_000);
  return (
    <Panel title={words.title} count={count || undefined}>
      {count === 0 && <p className={cells.quiet}>{words.nobody}</p>}
      <Lines>
        {members.map(({ id, username, displayName, subscriptionEnd }) => {
          const { unit, count: left } = subscriptionLeft(Date.parse(subscriptionEnd), new Date(nowMs));
          return (
            <Line
              key={id}
              much={
                <>
                  {words.left[unit](left)}
                  <span>{writtenDay(clubDay(subscriptionEnd), nowMs, language)}</span>
                </>
              }
            >
              <StaffLink to={`users/${username}`} className={cells.person}>
                <b>{displayName}</b>
              </StaffLink>
              <span>{username}</span>
            </Line>
          );
        })}
      </Lines>
      {count > 0 && (
        <DoorLink
          to="/admin/$"
          params={{ _splat: "users" }}
          search={{ ends: "soon", state: "active", sort: "subscription" }}
        >
          {words.all(count)}
        </DoorLink>
      )}
    </Panel>
  );
}
