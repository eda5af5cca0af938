import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { RowTime } from "./chat-list.tsx";
import classes from "./desk-list.module.css";
import { DeskList } from "./desk-list.tsx";
import { EXACTLY, toThread } from "./place.ts";
import { type StaffTicket, type TicketView, ticketsQuery } from "./queries.ts";
import { RINGS } from "./ticket-state.ts";
import { UnreadMark } from "./unread-mark.tsx";
import { useStaffSupportWords } from "./words.ts";

interface Props {
  view: TicketView;
  /** The ticket that is open. */
  chosen: string | null;
  onClear: (() => void) | null;
}

/** Members' tickets, newest first. */
export function TicketList({ view, chosen, onClear }: Props) {
  const { list: words } = useStaffSupportWords();
  const { viewedRole } = useViewed();
  const list = useInfiniteQuery(ticketsQuery(view, viewedRole));
  return (
    <DeskList
      label={words.tickets}
      list={list}
      failed={words.ticketsFailed}
      keyOf={({ id }) => id}
      row={(ticket) => <TicketRow ticket={ticket} chosen={ticket.id === chosen} />}
      none={{ title: words.noTickets, lead: words.noTicketsLead }}
      onClear={onClear}
    />
  );
}

function TicketRow({ ticket, chosen }: { ticket: StaffTicket; chosen: boolean }) {
  const { list: words } = useStaffSupportWords();
  const { status: states } = useSupportWords();
  const { id, userId, subject, displayName, status, priority, assignedTo, unread, createdAt } = ticket;
  const hands = assignedTo === null ? words.nobody : words.inHands(assignedTo.displayName);
  return (
    <Link
      to="."
      activeOptions={EXACTLY}
      search={toThread(userId, id)}
      className={`${classes.row} k-focus`}
      aria-current={chosen || undefined}
      data-unread={unread > 0 || undefined}
    >
      <span className={classes.head}>
        <Ring state={RINGS[status]} size={18} />
        <span className={classes.name}>{subject}</span>
        <RowTime iso={createdAt} />
      </span>
      <span className={classes.foot}>
        <span className={classes.words}>
          {displayName} · {states[status]}
          {status !== "closed" && `, ${hands}`}
        </span>
        {priority === "high" && status !== "closed" && <span className={classes.high}>{words.high}</span>}
        <UnreadMark count={unread} />
      </span>
    </Link>
  );
}
