import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Named, Time } from "../fields.ts";
import { OneTimeLink } from "../members/members.ts";
import { Why } from "../reasons.ts";
import { Found, NOT_READ, NOT_TAKEN, TakenIn } from "./import.ts";

/** As systemd's units and Docker's containers are called. */
const ProgramName = line(128);
const MOST_OWNERS = 1_000;

const OldProgram = z.object({
  name: z.string(),
  startedBy: z.enum(["wg-quick", "awg-quick", "container"]),
  isRunning: z.boolean(),
  /** Stopping it deletes it, so it cannot be taken over. */
  removesItself: z.boolean(),
  /** Null if its files cannot be read. */
  found: z.object({ subnet: z.string(), amneziawg: z.string().nullable(), devices: z.int().nonnegative() }).nullable(),
  problem: Why.nullable(),
});

/**
 * `taking`: it is being stopped and its devices written. `answering`: the club's interface has to answer. `done`: it can go back.
 * `leaving`: the old program is being brought back. `left`: it serves its devices again.
 */
export const MovedState = z.enum(["taking", "answering", "done", "leaving", "left"]);
export type MovedState = z.output<typeof MovedState>;

const Moved = z.object({
  name: z.string(),
  startedBy: OldProgram.shape.startedBy,
  state: MovedState,
  /** Why it went back by itself. */
  why: Why.nullable(),
  /** What keeps it from going back; the panel tries again. */
  trouble: Why.nullable(),
  startedAt: Time,
  /** Members who are new by it; their links are there for 14 days. */
  invited: z.array(Named),
  hasLinks: z.boolean(),
});
const State = z.object({ moved: Moved.nullable() });

const NOT_LOOKED = ["old_program.on_panel", "server.not_set_up"] as const;

/** Beyond the specifications: other VPN programs on a server over SSH, and their interfaces' way into the club and back. */
export const oldPrograms = {
  find: endpoint("POST /admin/servers/{id}/old-programs/find", {
    needs: "servers.change",
    summary: "Look for other VPN programs on a server over SSH, with their files; changes nothing",
    answer: z.object({ programs: z.array(OldProgram) }),
    refusals: ["server.not_found", "server.unreachable", ...NOT_LOOKED],
  }),
  state: endpoint("GET /admin/servers/{id}/old-programs", {
    needs: "servers.change",
    summary: "What was taken over on a server, how far that is, and whether it can go back",
    answer: State,
    refusals: ["server.not_found"],
  }),
  look: endpoint("POST /admin/servers/{id}/old-programs/preview", {
    needs: "servers.change",
    summary: "Report how each device of a program on the server would be imported; writes nothing",
    body: z.strictObject({
      program: ProgramName,
      owners: z.array(Id).max(MOST_OWNERS).default([]),
      amneziawg: TakenIn.shape.amneziawg,
    }),
    answer: Found,
    bodyValues: MOST_OWNERS + 100,
    refusals: [...NOT_READ, ...NOT_LOOKED, "old_program.gone"],
  }),
  take: endpoint("POST /admin/servers/{id}/old-programs/take", {
    needs: "servers.change",
    trust: true,
    summary:
      "Take over a program's interface with the chosen devices; the program is kept from starting once the club's interface answers, and comes back by itself if it does not",
    body: z.strictObject({ program: ProgramName, publicKey: z.string().max(44), ...TakenIn.shape }),
    answer: State,
    bodyLimit: 1024 * 1024,
    bodyValues: MOST_OWNERS * 8 + 100,
    refusals: [
      ...NOT_READ,
      ...NOT_TAKEN,
      ...NOT_LOOKED,
      "old_program.gone",
      "old_program.changed",
      "old_program.busy",
      "old_program.can_go_back",
      "old_program.removes_itself",
    ],
  }),
  links: endpoint("POST /admin/servers/{id}/old-programs/links", {
    needs: "servers.change",
    trust: true,
    summary: "The links by which the new members of the latest import set their passwords",
    answer: z.object({ invited: z.array(Named.extend(OneTimeLink.shape)) }),
    refusals: ["server.not_found", "old_program.nothing_moved"],
  }),
  back: endpoint("POST /admin/servers/{id}/old-programs/back", {
    needs: "servers.change",
    trust: true,
    summary:
      "Go back to the old program: deletes the club's interface with its configs and starts the program; members stay",
    answer: State,
    refusals: ["server.not_found", "old_program.on_panel", "old_program.nothing_moved", "old_program.busy"],
  }),
  keep: endpoint("DELETE /admin/servers/{id}/old-programs", {
    needs: "servers.change",
    summary: "Forget the way back to the old program, and leave everything as it is",
    answer: State,
    refusals: ["server.not_found", "old_program.on_panel", "old_program.busy"],
  }),
};
