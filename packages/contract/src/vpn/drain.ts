import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, Time } from "../fields.ts";
import { NewProfile } from "./interfaces.ts";
import { ServerStatus } from "./servers.ts";

const Count = z.int().nonnegative();

/**
 * Why a device stays: only its owner's browser has the key, there is no free address, or it left the other server a moment ago.
 */
export const StayReason = z.enum(["key_in_browser", "full", "still_there", "secret_lost"]);
export type StayReason = z.output<typeof StayReason>;

const Drain = z.object({
  /** What `from` and `to` are. */
  kind: z.enum(["server", "interface"]),
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
  /** The interface is deleted when no device needs it any more, at this time at the latest; null: staff delete it. */
  goesAt: Time.nullable(),
});

const Plan = z.object({
  devices: Count,
  members: Count,
  /** Devices that cannot be moved, because only browsers have their keys. */
  keysInBrowser: Count,
  /** Members who would get the right to use the target, because this one is assigned to them. */
  assigned: Count,
  targets: z.array(
    z.object({
      id: Id,
      name: z.string(),
      /** The interface's server; null for a server. */
      server: z.string().nullable(),
      status: ServerStatus,
      free: Count,
      capacity: Count,
    }),
  ),
});

const Rotation = z.strictObject({ ...NewProfile.shape, days: z.int().min(1).max(60).default(14) });

/** Moves all devices of a server, or of one interface, to another one (decisions, section 7). */
export const drain = {
  list: endpoint("GET /admin/servers/emptyings", {
    needs: "servers.change",
    scope: "servers:read",
    summary: "Drains that are running or ended within the last day: the latest of each server and interface",
    answer: z.array(Drain),
  }),
  plan: endpoint("GET /admin/servers/{id}/emptying", {
    needs: "servers.change",
    scope: "servers:read",
    summary: "What a drain of this server would move, and where to",
    answer: Plan,
    refusals: ["server.not_found"],
  }),
  start: endpoint("POST /admin/servers/{id}/empty", {
    needs: "servers.change",
    scope: "servers:write",
    summary:
      "Close a server to new configs and move its devices to another; continues by itself until done. Repeating returns the running one",
    body: z.strictObject({ toServerId: Id }),
    answer: Drain,
    refusals: ["server.not_found", "server.being_emptied", "server.takes_none"],
  }),
  stop: endpoint("POST /admin/servers/{id}/empty/stop", {
    needs: "servers.change",
    scope: "servers:write",
    summary: "End a drain; what was moved stays moved, and the server stays closed",
    answer: Drain.nullable(),
    refusals: ["server.not_found"],
  }),
  planOfInterface: endpoint("GET /admin/servers/interfaces/{id}/emptying", {
    needs: "interfaces.change",
    scope: "servers:read",
    summary: "What a drain of this interface would move, and where to",
    answer: Plan,
    refusals: ["interface.not_found"],
  }),
  startOfInterface: endpoint("POST /admin/servers/interfaces/{id}/empty", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary:
      "Close an interface to new configs and move its devices to another; continues by itself until done. Repeating returns the running one",
    body: z.strictObject({ toInterfaceId: Id }),
    answer: Drain,
    refusals: ["interface.not_found", "interface.being_emptied", "interface.takes_none"],
  }),
  rotate: endpoint("POST /admin/servers/interfaces/{id}/rotate", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary:
      "Give an interface's devices new AmneziaWG parameters: on a second interface next to it, to which they move. The first one works until they connect there, for at most so many days, and is then deleted. Repeating returns the running one",
    body: Rotation,
    answer: Drain,
    refusals: [
      "interface.not_found",
      "interface.being_emptied",
      "interface.takes_none",
      "interface.no_room",
      "interface.not_up",
      "server.not_found",
      "server.unreachable",
    ],
  }),
  stopOfInterface: endpoint("POST /admin/servers/interfaces/{id}/empty/stop", {
    needs: "interfaces.change",
    scope: "servers:write",
    summary: "End a drain; what was moved stays moved, and the interface stays closed",
    answer: Drain.nullable(),
    refusals: ["interface.not_found"],
  }),
};

export type RotationInput = z.output<typeof Rotation>;
export type DrainAnswer = z.output<typeof Drain>;
export type DrainPlanAnswer = z.output<typeof Plan>;
