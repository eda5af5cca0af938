import type { QueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import type { SupportWords } from "../../../lib/i18n/support.ts";
import { uploadPictures } from "../../../lib/upload-picture.ts";
import type { Me } from "../../access/auth/index.ts";
import { type Line, PAGE_SIZE, pageQuery, type TicketId } from "../conversation/index.ts";
import { ticketsQuery, unreadQuery } from "./queries.ts";

/** A member's own chat with support, or a ticket. */
export function ownLine(me: Me, ticketId: TicketId, words: SupportWords, queryClient: QueryClient): Line {
  const ownName = me.displayName || me.username;
  return {
    writer: me.id,
    ticketId,
    queryKey: ["support", "thread", ticketId],
    read: ({ before, ...manner }) =>
      api("GET /support/messages", { query: pageQuery(ticketId, PAGE_SIZE, before), ...manner }),
    send: async ({ key, content, images }) =>
      api("POST /support/messages", {
        body: {
          content,
          attachments: await uploadPictures(images),
          ...(ticketId === null ? {} : { ticketId }),
        },
        idempotencyKey: key,
      }),
    async seen(upTo) {
      const body = { upTo, ...(ticketId === null ? {} : { ticketId }) };
      queryClient.setQueryData(unreadQuery.queryKey, await api("POST /support/read", { body }));
      if (ticketId !== null) void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey });
    },
    isStaff: false,
    nameOf: ({ isAdmin }) => (isAdmin ? words.title : ownName),
    ownName,
    empty: { title: words.empty, lead: words.emptyLead },
  };
}
