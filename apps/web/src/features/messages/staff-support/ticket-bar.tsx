import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { Ask } from "../../../ui/ask.tsx";
import { useStaffSupportWords } from "./words.ts";
import "../../../ui/form.css";
import { DoorLink } from "../../../ui/door-link.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useMay, useViewed } from "../../club/staff/index.ts";
import { Assignee } from "./assignee.tsx";
import type { StaffTicket, TicketChange } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { RINGS } from "./ticket-state.ts";
import { useDeskCommand } from "./use-desk-command.ts";

const LostDeviceDialog = lazyDialog(() => import("./lost-device.tsx").then(({ LostDeviceDialog }) => LostDeviceDialog));

/** A ticket's subject, status and assignee; open → in progress → closed (decisions, section 10). */
export function TicketBar({ ticket }: { ticket: StaffTicket }) {
  const { ticket: words, lost, wish } = useStaffSupportWords();
  const { status: states, categories, priorities } = useSupportWords();
  const { me } = useViewed();
  const change = useDeskCommand(
    (wish: { change: Pick<TicketChange, "status" | "assignedTo">; done: string }) =>
      api("PUT /admin/support/tickets/{id}", {
        params: { id: ticket.id },
        body: { ...wish.change, expected: { status: ticket.status, assignedTo: ticket.assignedTo?.id ?? null } },
      }),
    words.failed,
  );
  const [closing, setClosing] = useState(false);
  const [cutting, setCutting] = useState(false);
  const mayCut = useMay("members.send_password_link");
  const mayAdd = useMay("catalog.change");
  const hadNothing = ticket.lostCut?.length === 0;
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
      {ticket.lostDevice !== null && (
        <p className={classes.quiet}>
          {ticket.lostDevice === "cut"
            ? lost.cut(ticket.lostCut?.map(({ name }) => name) ?? null)
            : lost[ticket.lostDevice]}
        </p>
      )}
      {ticket.wishedService?.isAdded && <p className={classes.quiet}>{wish.added(ticket.wishedService.name)}</p>}
      {ticket.status !== "closed" && (
        <div className={classes.acts}>
          {ticket.wishedService?.isAdded === false && mayAdd && (
            <DoorLink
              to="/admin/$"
              params={{ _splat: "wireguard" }}
              search={{ add: "service", set: ticket.wishedService.name, ticket: ticket.id }}
            >
              {wish.add}
            </DoorLink>
          )}
          {ticket.lostDevice !== null && mayCut && !hadNothing && (
            <Button variant="outline" onClick={() => setCutting(true)}>
              {ticket.lostDevice === "cut" ? lost.actMore : lost.act}
            </Button>
          )}
          <Assignee
            assignedTo={ticket.assignedTo}
            words={words}
            onAssign={(assignedTo, done) => change.mutate({ change: { assignedTo }, done })}
          />
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
      {cutting && <LostDeviceDialog ticket={ticket} onClose={() => setCutting(false)} />}
      {closing && (
        <Ask
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
