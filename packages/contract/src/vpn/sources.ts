import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, Id, Time } from "../fields.ts";
import { Why } from "../reasons.ts";

/* Beyond the specifications: where a service's networks come from besides what was typed. */

/** What one list has that the other lacks, as the fewest networks. */
const Change = { gained: z.array(z.string()), lost: z.array(z.string()) };

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
    /** An earlier version was brought back: whatever differs from it waits. */
    held: z.boolean(),
    /** A list that differs too much to be taken without an admin, compared with the one in force. */
    waiting: z
      .object({
        since: Time,
        networks: z.int().nonnegative(),
        /** For `decide`. */
        mark: z.string(),
        ...Change,
      })
      .nullable(),
  }),
);

const ofService = { needs: "catalog.change", answer: Sources } as const;

export const sources = {
  ofService: endpoint("GET /services/{id}/sources", {
    ...ofService,
    scope: "catalog:read",
    summary: "A service's sources and how each stands",
  }),
  lookNow: endpoint("POST /services/{id}/sources", {
    ...ofService,
    scope: "catalog:write",
    summary: "Look up a service's sources now instead of within a day",
  }),
  decide: endpoint("PUT /services/{id}/sources/{source}", {
    needs: "catalog.change",
    trust: true,
    summary: "Accept or refuse a list that waits because it differs too much",
    body: z.strictObject({ accept: Flag, mark: z.string().max(64) }),
    answer: Sources,
    refusals: ["source.not_found", "source.changed_meanwhile", "source.not_taken"],
  }),
  versions: endpoint("GET /services/{id}/sources/{source}/versions", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "The last 30 lists of a source, the newest first",
    answer: z.array(z.object({ id: Id, madeAt: Time, networks: z.int().nonnegative(), isCurrent: z.boolean() })),
    refusals: ["source.not_found"],
  }),
  compare: endpoint("GET /services/{id}/sources/{source}/versions/{version}", {
    needs: "catalog.change",
    scope: "catalog:read",
    summary: "What bringing a version back would change",
    answer: z.object(Change),
    refusals: ["source.not_found"],
  }),
  bringBack: endpoint("PUT /services/{id}/sources/{source}/versions", {
    needs: "catalog.change",
    trust: true,
    summary: "Bring a version back; lists that differ from it wait from then on",
    body: z.strictObject({ version: Id }),
    answer: Sources,
    refusals: ["source.not_found", "source.not_taken"],
  }),
};
