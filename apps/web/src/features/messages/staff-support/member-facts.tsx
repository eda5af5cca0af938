import { NO_LIMIT } from "@krug/domain/config-rules";
import { Link } from "@tanstack/react-router";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Ring } from "../../../ui/ring.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import {
  ConfigsOf,
  type MemberFile,
  StateWords,
  stateOf,
  subscriptionText,
  useUsersWords,
} from "../../members/users/index.ts";
import classes from "./member-facts.module.css";
import { EXACTLY, toThread } from "./place.ts";
import type { StaffTicket } from "./queries.ts";
import { RINGS } from "./ticket-state.ts";
import { UnreadMark } from "./unread-mark.tsx";
import { useStaffSupportWords } from "./words.ts";

interface Props {
  file: MemberFile;
  tickets: readonly StaffTicket[] | undefined;
  /** Ids of devices to be checked at once. */
  checked: readonly string[];
  /** A ticket was chosen. */
  onChoose?: () => void;
}

/** What staff want to know about a member while answering. */
export function MemberFacts({ file: { member }, tickets, checked, onChoose }: Props) {
  const { facts: words } = useStaffSupportWords();
  const { status: states } = useSupportWords();
  const { subscriptions } = useUsersWords();
  const nowMs = useNow(15_000);
  const facts: [string, React.ReactNode][] = [
    [words.username, member.username],
    [words.state, <StateWords key="state" ring state={stateOf(member, nowMs)} />],
    [words.subscription, subscriptionText(member, subscriptions, nowMs)],
    [words.telegram, member.telegramConnected ? words.linked : words.notLinked],
  ];
  return (
    <div className={classes.facts}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <StaffLink to={`users/${member.username}`} className={classes.link}>
        {words.page}
      </StaffLink>
      <ConfigsOf
        member={member}
        limit={member.vpnConfigLimit === NO_LIMIT ? null : member.vpnConfigLimit}
        nowMs={nowMs}
        checked={checked}
      />
      <section aria-labelledby="tickets-of">
        <h2 id="tickets-of" className={classes.title}>
          {words.tickets}
        </h2>
        {tickets?.length === 0 && <p className={classes.quiet}>{words.noTickets}</p>}
        <ul>
          {tickets?.map(({ id, subject, status, unread }) => (
            <li key={id}>
              <Link
                to="."
                activeOptions={EXACTLY}
                search={toThread(member.id, id)}
                className={`${classes.ticket} k-focus`}
                onClick={() => onChoose?.()}
              >
                <Ring state={RINGS[status]} size={18} />
                <span>
                  {subject}
                  <span className={classes.quiet}>{states[status]}</span>
                </span>
                <UnreadMark count={unread} />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
