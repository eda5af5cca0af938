import { Button, NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSupportWords } from "../../lib/i18n/support.ts";
import { Ask } from "../../ui/ask.tsx";
import { useStaffSupportWords } from "./words.ts";
import "../../ui/form.css";
import { Ring } from "../../ui/ring.tsx";
import { useViewed } from "../staff/index.ts";
import { colleaguesQuery, type StaffTicket } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { RINGS } from "./ticket-state.ts";
import { useTicketChange } from "./use-ticket-change.ts";

/** What a ticket is about, how far it is and in whose hands; open → in progress → closed (decisions, section 10). */
export function TicketBar({ ticket }: { ticket: StaffTicket }) {
  const { ticket: words } = useStaffSupportWords();
  const { status: states, categories, priorities } = useSupportWords();
  const { me } = useViewed();
  const change = useTicketChange(ticket);
  const [closing, setClosing] = useState(false);
  const isMine = ticket.assignedTo?.id === me.id;
  const take = () =>
    change.mutate({
      change: { assignedTo: me.id, ...(ticket.status === "open" ? { status: "in_progress" } : {}) },
      done: words.taken,
    });
  return (
    <section className={classes.ticket} aria-label={ticket.subject}>
      <div className={classes.ticketHead}>
        <h3 className={classes.subject}>{ticket.subject}</h3>
        <p className={classes.ticketState} role="status">
          <Ring state={RINGS[ticket.status]} size={18} />
          {states[ticket.status]}
          <span className={classes.quiet}>
            {categories[ticket.category]}, {words.priority(priorities[ticket.priority])}
          </span>
        </p>
      </div>
      {ticket.status !== "closed" && (
        <div className={classes.acts}>
          <Assignee ticket={ticket} onAssign={(assignedTo, done) => change.mutate({ change: { assignedTo }, done })} />
          {(ticket.status === "open" || !isMine) && (
            <Button aria-disabled={change.isPending || undefined} onClick={() => change.isPending || take()}>
              {ticket.status === "open" ? words.take : words.takeOver}
            </Button>
          )}
          <Button variant="outline" aria-label={words.closeTicket} onClick={() => setClosing(true)}>
            {words.close}
          </Button>
        </div>
      )}
      {closing && (
        <Ask
          opened
          onClose={() => setClosing(false)}
          onConfirm={() =>
            change.mutate({ change: { status: "closed" }, done: words.closed }, { onSettled: () => setClosing(false) })
          }
          title={words.closeAsk}
          text={words.closeText}
          confirm={words.closeTicket}
          working={words.closing}
          busy={change.isPending}
          bad={null}
        />
      )}
    </section>
  );
}

interface AssigneeProps {
  ticket: StaffTicket;
  onAssign: (id: string | null, done: string) => void;
}

function Assignee({ ticket, onAssign }: AssigneeProps) {
  const { ticket: words } = useStaffSupportWords();
  const colleagues = useQuery(colleaguesQuery).data ?? [];
  const { assignedTo } = ticket;
  // The assigned colleague is listed even before the others are loaded.
  const people =
    assignedTo === null || colleagues.some(({ id }) => id === assignedTo.id) ? colleagues : [assignedTo, ...colleagues];
  return (
    <NativeSelect
      className={classes.assignee ?? ""}
      aria-label={words.assign}
      rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
      value={assignedTo?.id ?? ""}
      onChange={({ currentTarget: { value } }) => {
        const to = people.find(({ id }) => id === value);
        onAssign(to?.id ?? null, to ? words.given(to.displayName) : words.free);
      }}
      data={[
        { value: "", label: words.nobody },
        ...people.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
    />
  );
}
