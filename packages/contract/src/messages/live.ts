import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/**
 * Which part of a member's own view may have changed, so the page reloads it. Staff also get club-wide topics, without the
 * member's name.
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
  "clubMembers",
  "clubAlarms",
  "clubServers",
  "clubCatalog",
]);
export type Topic = z.output<typeof Topic>;

const changed = z.object({ topic: Topic });
/** The last event before the stream ends with its session. */
const ended = z.object({ why: z.enum(["blocked"]) });

/** What changes while a member's page is open: one stream a page, so nobody has to reload. */
export const live = {
  own: endpoint("GET /events", {
    access: "member",
    summary: "What changes for you from now on; ends with the session",
    answer: { events: { changed, ended } },
  }),
};

export type OwnEvents = (typeof live.own)["answer"];
/** Event → its data, for clients. */
export type OwnEventData = { [Name in keyof OwnEvents["events"]]: z.output<OwnEvents["events"][Name]> };
