import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Flag, Time } from "./fields.ts";

/** What the local host or a server lacks, for the operator. */
const Problem = z.object({ code: z.string(), detail: z.string() });

const Health = z.object({
  status: z.enum(["ok", "starting", "failing"]),
  version: z.string(),
  database: z.enum(["sqlite", "postgres"]),
  /** Nothing secret: how many servers there are, how many answer, and what the panel's own host lacks. */
  servers: z.object({
    total: z.int().nonnegative(),
    unreachable: z.int().nonnegative(),
    local: z.object({
      state: z.enum(["enabled", "disabled"]),
      backend: z.enum(["kernel", "userspace"]).nullable(),
      reason: z.string().nullable(),
      problems: z.array(Problem),
    }),
  }),
});

export const system = {
  health: endpoint({
    method: "GET",
    path: "/health",
    access: "public",
    summary: "200 once the panel can serve; 503 with the reason while it cannot",
    answer: Health,
    duringMaintenance: true,
  }),
  maintenance: endpoint({
    method: "GET",
    path: "/maintenance",
    access: "public",
    summary: "Whether the club is under maintenance",
    answer: z.object({ enabled: z.boolean(), since: Time.nullable() }),
    duringMaintenance: true,
  }),
  setMaintenance: endpoint({
    method: "PUT",
    path: "/admin/maintenance",
    access: "admin",
    summary: "Switch maintenance on or off with a two-factor code",
    body: z.strictObject({ enabled: Flag, token: z.string().trim().min(6).max(32) }),
    answer: z.object({ enabled: z.boolean(), since: Time.nullable() }),
    refusals: ["two_factor.wrong_code", "two_factor.locked", "two_factor.not_enabled"],
    duringMaintenance: true,
  }),
};

export type HealthAnswer = z.output<typeof Health>;
