import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Time } from "./fields.ts";
import { ServerStatus } from "./servers.ts";

const Count = z.int().nonnegative();

/** Why a device stays: its owner's browser alone has the key, there is no free address, or it left the other server a moment ago. */
export const StayReason = z.enum(["key_in_browser", "full", "still_there"]);
export type StayReason = z.output<typeof StayReason>;

const Emptying = z.object({
  from: z.object({ id: Id, name: z.string() }),
  to: z.object({ id: Id, name: z.string() }),
  /** Null once that account is deleted. */
  by: z.string().nullable(),
  state: z.enum(["running", "done", "stopped"]),
  startedAt: Time,
  endedAt: Time.nullable(),
  /** Devices that were there when it began. */
  total: Count,
  moved: Count,
  stayed: z.partialRecord(StayReason, Count),
});

const ServerPath = z.object({ id: Id });

/** Moves all devices of a server to another one (decisions, section 7). */
export const emptying = {
  list: endpoint({
    method: "GET",
    path: "/admin/servers/emptyings",
    access: "admin",
    summary: "What is being emptied, and what was within the last day: the latest of each server",
    answer: z.array(Emptying),
  }),
  plan: endpoint({
    method: "GET",
    path: "/admin/servers/{id}/emptying",
    access: "admin",
    summary: "What emptying this server would move, and where to",
    params: ServerPath,
    answer: z.object({
      devices: Count,
      members: Count,
      /** Of the devices, those that cannot be moved: their keys are known to browsers alone. */
      keysInBrowser: Count,
      /** Members who would get the right to use the other server, because this one is assigned to them. */
      assigned: Count,
      targets: z.array(z.object({ id: Id, name: z.string(), status: ServerStatus, free: Count, capacity: Count })),
    }),
    refusals: ["server.not_found"],
  }),
  start: endpoint({
    method: "POST",
    path: "/admin/servers/{id}/empty",
    access: "admin",
    summary:
      "Close a server to new configs and move its devices to another; goes on by itself until it is done. Again: the one that runs",
    params: ServerPath,
    body: z.strictObject({ toServerId: Id }),
    answer: Emptying,
    refusals: ["server.not_found", "server.being_emptied", "server.takes_none"],
  }),
  stop: endpoint({
    method: "POST",
    path: "/admin/servers/{id}/empty/stop",
    access: "admin",
    summary: "End an emptying; what was moved stays moved, and the server stays closed",
    params: ServerPath,
    answer: Emptying.nullable(),
    refusals: ["server.not_found"],
  }),
};

export type EmptyingAnswer = z.output<typeof Emptying>;
