import { DIAGNOSIS_CAUSES } from "@krug/domain/diagnosis";
import { EXITS, LINK_STATES } from "@krug/domain/routing-rules";
import { z } from "zod";
import { Milliseconds, Time } from "../fields.ts";
import { Entitlement } from "../members/members.ts";
import { Probe } from "./interfaces.ts";

/** What the club sees of a device reported as not working, and the likely cause (decisions, section 6). */
export const Diagnosis = z.object({
  cause: z.enum(DIAGNOSIS_CAUSES),
  /** The server's time. */
  checkedAt: Time,
  entitlement: Entitlement,
  serverName: z.string(),
  /** When the server stopped answering the panel; null if it answers. */
  serverAwaySince: Time.nullable(),
  /** Whether its interface answers; null if unknown. */
  tunnel: Probe.nullable(),
  /** Whether the server has the device's key. */
  applied: z.boolean(),
  fileOutdated: z.boolean(),
  /** What happens to traffic outside the chosen services, `server`: it leaves through another; null unless the server decides that. */
  restExit: z.enum([...EXITS, "server"]).nullable(),
  /** That other server's name. */
  restExitServer: z.string().nullable(),
  /** Other servers by which its traffic leaves, how the links to them stand, and which of its services leave by them. */
  exits: z.array(z.object({ server: z.string(), link: z.enum(LINK_STATES), services: z.array(z.string()) })),
  lastHandshake: Milliseconds.nullable(),
  /** Bytes in this hour and the one before, as the device sees them. */
  receivedLately: z.int().nonnegative(),
  sentLately: z.int().nonnegative(),
  /** How far the asking device's clock is ahead of the server's, in ms; null if the device did not send its time. */
  clockAhead: z.int().nullable(),
});

export const DiagnosisQuery = z.object({
  /** The asking device's own time, ms since 1970. */
  clock: z.coerce.number().int().min(0).max(8_640_000_000_000_000).optional(),
});

export type DiagnosisAnswer = z.output<typeof Diagnosis>;
