import { IconClipboardText } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clubNow } from "../../../lib/club-clock.ts";
import { clock, dayText, shortDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { authorOf } from "./desk-line.ts";
import classes from "./desk-list.module.css";
import { DeskList } from "./desk-list.tsx";
import { EXACTLY, toThread } from "./place.ts";
import { type Conversation, type ConversationView, conversationsQuery } from "./queries.ts";
import { UnreadMark } from "./unread-mark.tsx";
import { type StaffSupportWords, useStaffSupportWords } from "./words.ts";

interface Props {
  /** null: not decided yet. */
  view: ConversationView | null;
  /** Whose conversation is open. */
  chosen: string | null;
  onClear: (() => void) | null;
}

/** Members who wrote, by last message, newest first. */
export function ChatList({ view, chosen, onClear }: Props) {
  const { list: words, waits, chat } = useStaffSupportWords();
  const { viewedRole } = useViewed();
  const list = useInfiniteQuery({ ...conversationsQuery(view ?? {}, viewedRole), enabled: view !== null });
  return (
    <DeskList
      label={words.chats}
      list={list}
      failed={words.chatsFailed}
      keyOf={({ userId }) => userId}
      row={(conversation) => (
        <ChatRow
          q={view?.q ?? ""}
          conversation={conversation}
          chosen={[conversation.userId, conversation.username].includes(chosen ?? "")}
        />
      )}
      none={
        view?.show === "waiting"
          ? { title: waits.none, lead: waits.noneLead }
          : view?.show === "mine"
            ? { title: chat.none, lead: chat.noneLead }
            : { title: words.noChats, lead: words.noChatsLead }
      }
      onClear={onClear}
    />
  );
}

interface RowProps {
  conversation: Conversation;
  /** The search text, or "". */
  q: string;
  chosen: boolean;
}

function ChatRow({ conversation, q, chosen }: RowProps) {
  const words = useStaffSupportWords();
  const { userId, displayName, unread, openTickets, waitingSince, assignedTo, lastMessage, found } = conversation;
  const shown = found ?? lastMessage;
  return (
    <Link
      to="."
      activeOptions={EXACTLY}
      // The row's text comes from the chat or a ticket, and links there.
      search={toThread(userId, shown.ticketId)}
      className={`${classes.row} k-focus`}
      aria-current={chosen || undefined}
      data-unread={unread > 0 || undefined}
    >
      <span className={classes.head}>
        <span className={classes.name}>{displayName}</span>
        {waitingSince === null ? (
          <RowTime iso={shown.createdAt} />
        ) : (
          <time className={classes.time} dateTime={waitingSince} data-waits>
            {words.waits.since(sinceText(waitingSince))}
          </time>
        )}
      </span>
      <span className={classes.foot}>
        <span className={classes.words}>
          <Found text={wordsOf(shown, words)} q={found === null ? "" : q} />
        </span>
        {assignedTo && <span className={classes.hands}>{words.list.inHands(assignedTo.displayName)}</span>}
        {openTickets > 0 && (
          <span className={classes.tickets} title={words.openTickets(openTickets)}>
            <IconClipboardText size={16} stroke={1.6} aria-hidden="true" />
            <span aria-hidden="true">{openTickets}</span>
            <span className="k-spoken">{words.openTickets(openTickets)}</span>
          </span>
        )}
        <UnreadMark count={unread} />
      </span>
    </Link>
  );
}

/** The excerpt starts this close to the found text, so that one line shows it. */
const BEFORE_FOUND = 16;

function Found({ text, q }: { text: string; q: string }) {
  const at = q === "" ? -1 : text.toLowerCase().indexOf(q.toLowerCase());
  if (at < 0) return text;
  const from = at <= BEFORE_FOUND ? 0 : text.indexOf(" ", at - BEFORE_FOUND) + 1 || at;
  const begin = Math.min(from, at);
  return (
    <>
      {begin > 0 && "…"}
      {text.slice(begin, at)}
      <mark>{text.slice(at, at + q.length)}</mark>
      {text.slice(at + q.length)}
    </>
  );
}

function wordsOf(message: Conversation["lastMessage"], words: StaffSupportWords): string {
  const said = message.content === "" ? words.list.image : message.content;
  return message.isAdmin ? words.list.by(authorOf(message, words), said) : said;
}

/** The time if it is today, otherwise the date. */
export function sinceText(iso: string): string {
  const at = new Date(iso);
  return at.toDateString() === new Date(clubNow()).toDateString() ? clock(at.getTime()) : shortDay(at);
}

/** The time if it is today, otherwise the day. */
export function RowTime({ iso }: { iso: string }) {
  const { language, text } = useSpeech();
  const at = Date.parse(iso);
  const isToday = new Date(at).toDateString() === new Date(clubNow()).toDateString();
  return (
    <time className={classes.time} dateTime={iso}>
      {isToday ? clock(at) : dayText(iso, clubNow(), language, text.age)}
    </time>
  );
}
