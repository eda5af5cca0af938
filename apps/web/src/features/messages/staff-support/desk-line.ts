import type { QueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { uploadPictures } from "../../../lib/upload-picture.ts";
import type { Me } from "../../access/auth/index.ts";
import { type Line, type Message, PAGE_SIZE, pageQuery, type TicketId } from "../conversation/index.ts";
import { DESK, THREADS } from "./queries.ts";
import type { StaffSupportWords } from "./words.ts";

/** The member whose conversation is open. */
export interface Partner {
  id: string;
  displayName: string;
}

/** Staff's side of a member's chat or ticket. */
export function deskLine(
  me: Me,
  partner: Partner,
  ticketId: TicketId,
  words: StaffSupportWords,
  queryClient: QueryClient,
): Line {
  const params = { userId: partner.id };
  const ofTicket = ticketId === null ? {} : { ticketId };
  const askLists = () =>
    void queryClient.invalidateQueries({
      queryKey: DESK,
      predicate: ({ queryKey }) => queryKey[DESK.length] !== THREADS[DESK.length],
    });
  return {
    writer: `${me.id}.${partner.id}`,
    ticketId,
    queryKey: [...THREADS, partner.id, ticketId],
    read: ({ before, ...manner }) =>
      api("GET /admin/support/conversations/{userId}/messages", {
        params,
        query: pageQuery(ticketId, PAGE_SIZE, before),
        ...manner,
      }),
    async send({ key, content, images }) {
      const message = await api("POST /admin/support/conversations/{userId}/messages", {
        params,
        body: { content, attachments: await uploadPictures(images), ...ofTicket },
        idempotencyKey: key,
      });
      askLists();
      return message;
    },
    async seen(upTo) {
      await api("POST /admin/support/conversations/{userId}/read", { params, body: { upTo, ...ofTicket } });
      askLists();
    },
    isStaff: true,
    nameOf: (message) => (message.isAdmin ? authorOf(message, words) : partner.displayName),
    ownName: me.displayName || me.username,
    empty: { title: words.thread.empty, lead: words.thread.emptyLead(partner.displayName) },
  };
}

/** Which of the staff wrote, from the desk's answers, if the reader may know. */
export const authorOf = ({ authorName }: Pick<Message, "authorName">, words: StaffSupportWords): string =>
  authorName ?? words.someone;
