import { ActionIcon } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconInfoCircle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "../../../lib/api.ts";
import { useNow } from "../../../lib/use-now.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { type MemberFile, memberFileQuery, StateWords, stateOf } from "../../members/users/index.ts";
import { DeviceCheckLine } from "../../vpn/configs/index.ts";
import { useAnswerTemplates } from "../answer-templates/index.ts";
import { Conversation } from "../conversation/index.ts";
import { ChatBar } from "./chat-bar.tsx";
import { deskLine } from "./desk-line.ts";
import { MemberFacts } from "./member-facts.tsx";
import { EXACTLY, toThread } from "./place.ts";
import { type StaffTicket, ticketsOfQuery } from "./queries.ts";
import classes from "./thread-pane.module.css";
import { TicketBar } from "./ticket-bar.tsx";
import { UnreadMark } from "./unread-mark.tsx";
import { useNamedDevices } from "./use-named-devices.ts";
import { WaitingBar } from "./waiting-bar.tsx";
import { useStaffSupportWords } from "./words.ts";

const FactsSheet = lazyDialog(() => import("./facts-sheet.tsx").then(({ FactsSheet }) => FactsSheet));

interface Props {
  /** The member's id or username. */
  memberId: string;
  ticketId: string | null;
}

/** A member's chat or ticket, with facts about the member next to it. */
export function ThreadPane({ memberId, ticketId }: Props) {
  const { thread: words } = useStaffSupportWords();
  const { viewedRole } = useViewed();
  const file = useQuery(memberFileQuery(memberId, viewedRole));
  if (file.data) return <Whole key={file.data.member.id} file={file.data} ticketId={ticketId} />;
  const gone = file.error instanceof ApiError && file.error.status === 404;
  return (
    <section className={classes.pane}>
      <header className={classes.header}>
        <BackToList />
      </header>
      <div className={classes.instead}>
        {gone ? (
          <>
            <Ring state="never" size={56} />
            <h2 className={classes.insteadTitle}>{words.gone}</h2>
            <p>{words.goneLead}</p>
          </>
        ) : file.isError ? (
          <LoadFailed title={words.failed} error={file.error} onRetry={() => void file.refetch()} />
        ) : (
          <Ring state="wait" size={40} />
        )}
      </div>
    </section>
  );
}

function Whole({ file, ticketId }: { file: MemberFile; ticketId: string | null }) {
  const words = useStaffSupportWords();
  const { me } = useViewed();
  const queryClient = useQueryClient();
  const nowMs = useNow(15_000);
  const isWide = useMediaQuery("(min-width: 80em)", false, { getInitialValueInEffect: false });
  const [asking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is read from its head
  useEffect(() => heading.current?.focus({ preventScroll: true }), [ticketId]);
  const { member } = file;
  const tickets = useQuery(ticketsOfQuery(member.id)).data;
  const ticket = tickets?.find(({ id }) => id === ticketId);
  const { id, displayName } = member;
  const line = useMemo(
    () => deskLine(me, { id, displayName }, ticketId, words, queryClient),
    [me, id, displayName, ticketId, words, queryClient],
  );
  const named = useNamedDevices(id, line, ticket);
  const checked = named.map((device) => device.id);
  const answerTemplates = useAnswerTemplates({ name: displayName, username: member.username });
  return (
    <>
      <section className={classes.pane} aria-label={displayName}>
        <header className={classes.header}>
          <BackToList />
          <div className={classes.who}>
            <h2 ref={heading} className={classes.name} tabIndex={-1}>
              {displayName}
            </h2>
            <StateWords state={stateOf(member, nowMs)} />
          </div>
          {!isWide && (
            <ActionIcon aria-label={words.thread.about} title={words.thread.about} onClick={() => setAsking(true)}>
              <IconInfoCircle size={22} stroke={1.6} />
            </ActionIcon>
          )}
        </header>
        <Threads memberId={id} ticketId={ticketId} tickets={tickets ?? []} />
        {ticket && <TicketBar key={ticket.id} ticket={ticket} />}
        <div className={classes.bars}>
          {ticketId === null && <ChatBar memberId={id} />}
          <WaitingBar memberId={id} />
        </div>
        {!isWide && named[0] && <DeviceCheckLine device={named[0]} onMore={() => setAsking(true)} />}
        <Conversation
          key={`${id} ${ticketId}`}
          line={line}
          tool={answerTemplates}
          closed={ticket?.status === "closed" ? <p className={classes.closed}>{words.thread.closed}</p> : undefined}
        />
      </section>
      {isWide && (
        <aside className={classes.aside} aria-label={words.thread.about}>
          <MemberFacts file={file} tickets={tickets} checked={checked} />
        </aside>
      )}
      {asking && <FactsSheet file={file} tickets={tickets} checked={checked} onClose={() => setAsking(false)} />}
    </>
  );
}

function BackToList() {
  const { thread: words } = useStaffSupportWords();
  return (
    <Link
      to="."
      activeOptions={EXACTLY}
      search={toThread(null)}
      className={`${classes.back} k-focus`}
      aria-label={words.back}
    >
      <IconArrowLeft size={22} stroke={1.6} aria-hidden="true" />
    </Link>
  );
}

interface ThreadsProps {
  memberId: string;
  ticketId: string | null;
  tickets: readonly StaffTicket[];
}

/** Links between a member's chat and tickets: those not closed, with something unseen, or open here. */
function Threads({ memberId, ticketId, tickets }: ThreadsProps) {
  const { thread: words } = useStaffSupportWords();
  const shown = tickets.filter(({ id, status, unread }) => status !== "closed" || unread > 0 || id === ticketId);
  if (shown.length === 0) return null;
  const way = (id: string | null, title: string, unread: number) => (
    <li key={id}>
      <Link
        to="."
        activeOptions={EXACTLY}
        search={toThread(memberId, id)}
        className={`${classes.way} k-focus`}
        aria-current={id === ticketId || undefined}
      >
        <span className={classes.wayTitle}>{title}</span>
        <UnreadMark count={unread} />
      </Link>
    </li>
  );
  return (
    <nav className={classes.ways} aria-label={words.threads}>
      <ul>
        {way(null, words.chat, 0)}
        {shown.map(({ id, subject, unread }) => way(id, subject, unread))}
      </ul>
    </nav>
  );
}
