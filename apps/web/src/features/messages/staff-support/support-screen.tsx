import { TICKET_STATUSES } from "@krug/domain/support-rules";
import { NativeSelect } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useKeyboardHeight } from "../../../lib/use-keyboard-height.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { SearchField } from "../../../ui/list-tools.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Screen, useViewed } from "../../club/staff/index.ts";
import { ChatList } from "./chat-list.tsx";
import { placeIn } from "./place.ts";
import { type ConversationView, type TicketView, waitingQuery } from "./queries.ts";
import classes from "./support-screen.module.css";
import { ThreadPane } from "./thread-pane.tsx";
import { TicketList } from "./ticket-list.tsx";
import { SHOWS, type Show, useFirstShow } from "./use-first-show.ts";
import { useStaffSupportWords } from "./words.ts";

const STATUSES = ["all", ...TICKET_STATUSES] as const;
const HANDS = ["any", "mine", "nobody"] as const;
const oneOf = <Value extends string | null>(values: readonly Value[], text: string | undefined, first: Value): Value =>
  values.find((value) => value === text) ?? first;
/** The address leaves out defaults. */
const unless = (first: string, value: string) => (value === first ? null : value);

/** Members' chats and tickets, with the open thread next to the list; on a phone one after the other (decisions, section 10). */
export function SupportScreen() {
  const { screens } = useStaffWords();
  const words = useStaffSupportWords();
  const { viewedRole } = useViewed();
  const { asked, change } = useListAddress(1);
  const search = useCallback((typed: string) => change({ q: typed }), [change]);
  const isHidden = useDocumentVisibility() === "hidden";
  const keyboardHeight = useKeyboardHeight();
  const counts = useQuery(waitingQuery(viewedRole));
  const waiting = counts.data;
  const first = useFirstShow(waiting?.conversations, counts.isError);
  const place = placeIn(asked);
  const isTickets = place.section === "tickets";
  const q = asked.q ?? "";

  // A search without a choice looks everywhere.
  const show = oneOf<Show | null>(SHOWS, asked.show, q === "" ? first : "all");
  const status = oneOf(STATUSES, asked.status, "all");
  const hands = oneOf(HANDS, asked.hands, "any");
  const isNarrowed = q !== "" || (isTickets ? status !== "all" || hands !== "any" : show !== "all");
  // Nobody waiting is good news, and nothing assigned is not a search without results.
  const onClear =
    isNarrowed && (isTickets || show === "unread" || q !== "")
      ? () => change({ q: null, status: null, hands: null, ...(isTickets ? {} : { show: "all" }) })
      : null;
  const found = q === "" ? {} : { q };
  const chats: ConversationView | null = show && { ...found, show };
  const tickets: TicketView = { ...found, status, hands };
  const count = (number: number | undefined) =>
    number === undefined || number === 0 ? null : <span className={classes.count}>{number}</span>;

  return (
    <Screen title={screens.support} news={isHidden ? (waiting?.unread ?? 0) : 0} filled>
      <div
        className={classes.desk}
        data-open={place.with !== null || undefined}
        style={{ paddingBottom: keyboardHeight }}
      >
        <div className={classes.lists}>
          <div className={classes.tools}>
            <Segments
              label={words.section}
              labelHidden
              value={place.section}
              onChange={(section) => change({ section: unless("chats", section), q: null })}
              choices={[
                { value: "chats", label: words.chats, after: count(waiting?.unread) },
                { value: "tickets", label: words.tickets, after: count(waiting?.tickets.open) },
              ]}
            />
            <div>
              <SearchField
                key={place.section}
                label={isTickets ? words.searchTickets : words.search}
                value={q}
                onChange={search}
              />
            </div>
            {isTickets ? (
              <div className={classes.filters}>
                <NativeSelect
                  aria-label={words.status}
                  rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
                  value={status}
                  onChange={({ currentTarget }) => change({ status: unless("all", currentTarget.value) })}
                  data={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
                />
                <NativeSelect
                  aria-label={words.hands}
                  rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
                  value={hands}
                  onChange={({ currentTarget }) => change({ hands: unless("any", currentTarget.value) })}
                  data={HANDS.map((value) => ({ value, label: words.handsOf[value] }))}
                />
              </div>
            ) : (
              <Segments
                label={words.show}
                labelHidden
                value={show}
                onChange={(value) => change({ show: value })}
                choices={SHOWS.map((value) => ({
                  value,
                  label: words.shows[value],
                  after: value === "waiting" ? count(waiting?.conversations) : null,
                }))}
              />
            )}
          </div>
          {isTickets ? (
            <TicketList view={tickets} chosen={place.ticket} onClear={onClear} />
          ) : (
            <ChatList view={chats} chosen={place.with} onClear={onClear} />
          )}
        </div>
        {place.with === null ? (
          <div className={classes.nothing}>
            <Ring state="never" size={72} />
            <h2>{isTickets ? words.thread.chooseTicket : words.thread.choose}</h2>
            <p>{isTickets ? words.thread.chooseTicketLead : words.thread.chooseLead}</p>
          </div>
        ) : (
          <ThreadPane key={place.with} memberId={place.with} ticketId={place.ticket} />
        )}
      </div>
    </Screen>
  );
}
