import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/** What a new club needs, in this order, and whether it is done. */
const Steps = z.object({
  /** A server has answered. */
  server: z.boolean(),
  /** Devices are given an address for each server; a machine behind NAT does not know its own. */
  endpoint: z.boolean(),
  /** There is a service and a DNS entry to make configs from. */
  catalog: z.boolean(),
  /** Staff made an invite code, or somebody joined without one. */
  code: z.boolean(),
  /** Somebody who is not staff. */
  member: z.boolean(),
  /** The club has a bot; nothing waits for it. */
  telegram: z.boolean(),
});

/** Beyond the specifications. */
export const guide = {
  read: endpoint("GET /admin/guide", {
    needs: "system.change",
    summary: "What a new club still needs; null once complete or dismissed",
    answer: z.object({ steps: Steps.nullable() }),
  }),
  dismiss: endpoint("POST /admin/guide/dismiss", {
    needs: "system.change",
    summary: "Dismiss the guide, for yourself and for good",
  }),
};

export type GuideSteps = z.output<typeof Steps>;
