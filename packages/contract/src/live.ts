import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/**
 * What a member sees of his own that may have changed: it is to be asked again. Staff hear besides of what is the club's; of
 * whom it was is not told.
 */
export const Topic = z.enum([
  "account",
  "configs",
  "payments",
  "support",
  "inbox",
  "club",
  "accessRules",
  "clubPayments",
  "clubInvites",
]);
export type Topic = z.output<typeof Topic>;

const changed = z.object({ topic: Topic });

/** What happens to a member while he looks: one stream a page, so that nothing has to be reloaded. */
export const live = {
  own: endpoint({
    method: "GET",
    path: "/events",
    access: "member",
    summary: "What changes for oneself from now on; ends with the session",
    answer: { events: { changed } },
  }),
};

export type OwnEvents = (typeof live.own)["answer"];
/** Event → its data, as a client reads it. */
export type OwnEventData = { [Name in keyof OwnEvents["events"]]: z.output<OwnEvents["events"][Name]> };
