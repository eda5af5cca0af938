import { ActionIcon, Button } from "@mantine/core";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { dayText } from "../../../lib/format.ts";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useLayer } from "../../../lib/layers.ts";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import { OwnConversation } from "./own-conversation.tsx";
import { type Ticket, ticketsQuery } from "./queries.ts";
import classes from "./support-widget.module.css";
import { TicketForm } from "./ticket-form.tsx";
import list from "./tickets.module.css";

const RING: Record<Ticket["status"], RingState> = { open: "never", in_progress: "wait", closed: "done" };

/** The member's tickets: the list, a thread, or the form for a new one. */
export function Tickets({ me }: { me: Me }) {
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<"list" | "form" | { id: string }>("list");
  /** What was opened from the list: "form", or a ticket's id. It has the focus afterwards. */
  const [left, setLeft] = useState<string | null>(null);
  const show = (next: "form" | { id: string }) => {
    setShown(next);
    setLeft(next === "form" ? next : next.id);
  };
  const tickets = useQuery(ticketsQuery);
  const ticket = typeof shown === "object" ? tickets.data?.find(({ id }) => id === shown.id) : undefined;

  if (shown === "form")
    return (
      <TicketForm
        onBack={() => setShown("list")}
        onCreated={(created) => {
          queryClient.setQueryData(ticketsQuery.queryKey, (known: Ticket[] = []) => [
            created,
            ...known.filter(({ id }) => id !== created.id),
          ]);
          show({ id: created.id });
        }}
      />
    );
  if (ticket) return <TicketThread me={me} ticket={ticket} onBack={() => setShown("list")} />;
  return (
    <TicketList
      tickets={tickets.data}
      broken={tickets.isError && !tickets.data ? tickets.error : null}
      onReload={() => void tickets.refetch()}
      left={left}
      onShow={(id) => show({ id })}
      onCreate={() => show("form")}
    />
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();

interface ListProps {
  tickets: Ticket[] | undefined;
  broken: Error | null;
  left: string | null;
  onReload: () => void;
  onShow: (id: string) => void;
  onCreate: () => void;
}

function TicketList({ tickets, broken, left, onReload, onShow, onCreate }: ListProps) {
  const words = useSupportWords();
  const { language, text } = useSpeech();
  const nowMs = clubNow();
  return (
    <>
      <div className={classes.scroll}>
        {broken && (
          <div className={list.broken}>
            <FormMessage error={broken} failed={words.ticketsFailed} />
            <Button variant="default" onClick={onReload}>
              {words.retry}
            </Button>
          </div>
        )}
        {!tickets && !broken && (
          <p className={list.empty}>
            <Ring state="wait" size={22} />
            {words.olderLoading}
          </p>
        )}
        {tickets?.length === 0 && (
          <div className={list.empty}>
            <Ring state="never" size={56} />
            <h3>{words.ticketsEmpty}</h3>
            <p>{words.ticketsLead}</p>
          </div>
        )}
        <ul>
          {tickets?.map(({ id, subject, status, unread, updatedAt }) => (
            <li key={id} className={list.item}>
              <button
                type="button"
                className={`${list.ticket} k-focus`}
                ref={left === id ? takeFocus : undefined}
                onClick={() => onShow(id)}
              >
                <Ring state={RING[status]} size={24} />
                <span className={list.words}>
                  <span className={list.subject}>{subject}</span>
                  <span className={classes.state}>
                    {words.status[status]}, {dayText(updatedAt, nowMs, language, text.age)}
                  </span>
                </span>
                <CountBadge count={unread} spoken={words.unreadInTicket(unread)} />
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div className={classes.foot}>
        <Button
          fullWidth
          size="lg"
          ref={left === "form" ? takeFocus : undefined}
          leftSection={<IconPlus size={20} stroke={1.6} />}
          onClick={onCreate}
        >
          {words.createTicket}
        </Button>
      </div>
    </>
  );
}

function TicketThread({ me, ticket, onBack }: { me: Me; ticket: Ticket; onBack: () => void }) {
  const words = useSupportWords();
  useLayer(true, onBack);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <div className={classes.back}>
        <ActionIcon aria-label={words.back} title={words.back} onClick={onBack}>
          <IconArrowLeft size={22} stroke={1.6} />
        </ActionIcon>
        <div>
          <h3 ref={heading} tabIndex={-1} className={classes.subject}>
            {ticket.subject}
          </h3>
          <p className={classes.state} role="status">
            {words.status[ticket.status]}
          </p>
        </div>
      </div>
      <OwnConversation
        me={me}
        ticketId={ticket.id}
        closed={
          ticket.status === "closed" ? (
            <p className={`${classes.foot} ${classes.note}`}>{words.closedNote}</p>
          ) : undefined
        }
      />
    </>
  );
}
