import type { AdminSearch } from "../../../lib/admin-search.ts";

/** What is open on the screen, as in the address next to the lists' filters. */
export interface Place {
  section: "chats" | "tickets";
  /** A member's id or username; null: no conversation is open. */
  with: string | null;
  ticket: string | null;
}

export const placeIn = (asked: AdminSearch): Place => ({
  section: asked.section === "tickets" ? "tickets" : "chats",
  with: asked.with ?? null,
  ticket: asked.with === undefined ? null : (asked.ticket ?? null),
});

/** For a link's `search`: the same lists with this thread open; null: without a thread. */
export const toThread =
  (userId: string | null, ticketId: string | null = null) =>
  (before: AdminSearch): AdminSearch => {
    const { with: _with, ticket: _ticket, ...lists } = before;
    return {
      ...lists,
      ...(userId === null ? {} : { with: userId }),
      ...(userId === null || ticketId === null ? {} : { ticket: ticketId }),
    };
  };

/** For a link's `activeOptions`: the link is active if the whole address matches. */
export const EXACTLY = { exact: true, includeSearch: true } as const;
