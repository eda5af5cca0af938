import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, Time } from "../fields.ts";
import { Why } from "../reasons.ts";

/* Beyond the specifications: where a service's networks come from besides what was typed. */

const Sources = z.array(
  z.object({
    id: Id,
    /** As in the service: the https address of a list, 'AS13335' or 'country:FI'. */
    source: z.string(),
    networks: z.int().nonnegative(),
    /** Lines of the list that are no network. */
    unread: z.int().nonnegative(),
    /** Of the last look-up that succeeded: its networks are in force, however long ago it was. */
    goodAt: Time,
    failingSince: Time.nullable(),
    /** Why the last look-up failed. */
    why: Why.nullable(),
  }),
);

const of = {
  path: "/services/{id}/sources",
  needs: "catalog.change",
  params: z.object({ id: Id }),
  answer: Sources,
} as const;

export const sources = {
  ofService: endpoint({ method: "GET", ...of, summary: "A service's sources and how each stands" }),
  lookNow: endpoint({ method: "POST", ...of, summary: "Look up a service's sources now instead of within a day" }),
};
