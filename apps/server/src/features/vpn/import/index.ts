import { setTimeout as wait } from "node:timers/promises";
import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { oldPrograms as contract } from "@krug/contract/vpn/old-programs";
import { LONGEST_LINK_MS } from "@krug/domain/invite-rules";
import { isoOf, MINUTE_MS } from "@krug/domain/moment";
import { HostFailure } from "../../../hosts/host.ts";
import { MachineFailure, SshFailure } from "../../../hosts/remote.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { isTroubled } from "../../../platform/database/trouble.ts";
import { makePursuits } from "../../../platform/pursuits.ts";
import { Refusal, refuse, refuseBecause } from "../../../platform/refusal.ts";
import { needsSetup, type ServerRow } from "../servers/index.ts";
import type { Doer } from "./importing.ts";
import { makeOldPrograms, type OldProgram } from "./old-programs.ts";
import * as repository from "./repository.ts";
import type { MovedRow } from "./table.ts";
import { invitedOf, makeTakeOver, type TakeOverParts, whyFailed } from "./take-over.ts";

export { makeImporting } from "./importing.ts";
export { sealedInImport } from "./take-over.ts";

type Found = AnswerOf<typeof contract.look>;
type Moved = NonNullable<AnswerOf<typeof contract.state>["moved"]>;
type Take = BodyOf<typeof contract.take>;
/** Less than the 30 s after which a browser gives up. */
const LOOK_WITHIN_MS = 25_000;
/** A container may take 30 s to stop. */
const DONE_WITHIN_MS = 90_000;
const AGAIN_MS = 3_000;
/** Files that were found hold keys: they are kept for the preview's further questions only. */
const SEEN_FOR_MS = 10 * MINUTE_MS;

/** Servers whose import somebody wants to go on. */
const MOVED_ON = "old_programs.moved_on";

const leaseOf = (serverId: string) => `import:${serverId}`;

export type FoundPrograms = ReturnType<typeof makeFoundPrograms>;

/**
 * Imports from other programs on servers over SSH (docs/adr/0219-an-import-over-ssh.md). An import runs whether or not anybody
 * watches, and goes on at another panel, or after a restart, from what was written last.
 */
export function makeFoundPrograms(parts: TakeOverParts) {
  const { db, transact, clock, sealing, log, signals, heldLeases, audit, servers } = parts;
  const seen = new Map<string, { programs: OldProgram[]; forget: NodeJS.Timeout }>();

  /** @throws Refusal unless its machine has the panel's helper */
  const serverOf = async (id: string): Promise<ServerRow> => {
    const server = (await servers.find(db, id)) ?? refuse("server.not_found");
    if (server.driver !== "ssh") refuse("old_program.on_panel");
    return needsSetup(server) ? refuse("server.not_set_up") : server;
  };
  const programsOn = (server: ServerRow, withinMs: number) =>
    makeOldPrograms((...args) => servers.connections.remoteOf(server).otherPrograms(args, withinMs));
  const takeOverOn = (server: ServerRow) => {
    const host = servers.hostOf(server) ?? refuse("server.not_set_up");
    const programs = programsOn(server, DONE_WITHIN_MS);
    return makeTakeOver(parts, { server, host, programs, signal: pursuits.signal, stopping: pursuits.signal });
  };

  const forget = (serverId: string) => {
    clearTimeout(seen.get(serverId)?.forget);
    seen.delete(serverId);
  };
  const look = async (server: ServerRow): Promise<OldProgram[]> => {
    const programs = await programsOn(server, LOOK_WITHIN_MS)
      .find()
      .catch((error: unknown) => {
        if (error instanceof MachineFailure) refuseBecause("server.unreachable", error.why);
        throw error;
      });
    forget(server.id);
    seen.set(server.id, { programs, forget: setTimeout(() => seen.delete(server.id), SEEN_FOR_MS).unref() });
    return programs;
  };
  const named = (programs: readonly OldProgram[], name: string): OldProgram =>
    programs.find((each) => each.name === name) ?? refuse("old_program.gone", { program: name });

  const step = async (row: MovedRow, server: ServerRow): Promise<void> => {
    const moving = takeOverOn(server);
    if (row.state === "leaving") return moving.goBack(row);
    try {
      if (row.state === "answering") await moving.prove(row);
      else await moving.carryOut(row, named(seen.get(server.id)?.programs ?? (await look(server)), row.name));
    } catch (error) {
      if (pursuits.signal.aborted || isTroubled(error)) throw error;
      await turnBack(row, whyFailed(error));
    }
  };
  const turnBack = (row: MovedRow, why: ReturnType<typeof whyFailed>) =>
    transact((tx) => repository.update(tx, row, { state: "leaving", why: JSON.stringify(why) }));

  const goOn = async (serverId: string): Promise<void> => {
    while (!pursuits.signal.aborted) {
      const row = await repository.find(db, serverId);
      if (row === undefined || row.state === "done" || row.state === "left") return;
      const server = await servers.find(db, serverId);
      if (server === undefined) return void (await transact((tx) => repository.remove(tx, row)));
      // The panel's own machine is the command line's.
      if (server.driver !== "ssh" || (await heldLeases.hold(leaseOf(serverId))) === null) return;
      try {
        await step(row, server);
      } catch (error) {
        if (pursuits.signal.aborted) return;
        if (!isTroubled(error) && !isExpected(error)) log.error({ err: error, server: serverId }, "an import is stuck");
        const trouble = JSON.stringify(whyFailed(error));
        if (!isTroubled(error) && trouble !== row.trouble)
          await transact((tx) => repository.update(tx, row, { trouble }));
        await wait(AGAIN_MS, undefined, { ref: false, signal: pursuits.signal }).catch(() => {});
      }
    }
  };
  const pursuits = makePursuits(log, "an import could not go on", (serverId) =>
    goOn(serverId).finally(() => forget(serverId)),
  );
  signals.on(MOVED_ON, (ids) => {
    for (const id of ids) pursuits.pursue(id);
  });

  const describe = (row: MovedRow): Moved => {
    const invited = invitedOf(sealing, row);
    const how = JSON.parse(row.how) as OldProgram["how"];
    return {
      name: row.name,
      startedBy: how.by === "container" ? "container" : how.quick,
      state: row.state,
      why: row.why === null ? null : JSON.parse(row.why),
      trouble: row.trouble === null ? null : JSON.parse(row.trouble),
      startedAt: isoOf(row.started_at),
      invited: invited.map(({ id, username, displayName }) => ({ id, username, displayName })),
      hasLinks: invited.length > 0,
    };
  };
  const state = async (serverId: string): Promise<{ moved: Moved | null }> => {
    if ((await servers.find(db, serverId)) === undefined) refuse("server.not_found");
    const row = await repository.find(db, serverId);
    return { moved: row === undefined ? null : describe(row) };
  };
  /** The record, under the lock of its server over SSH. */
  const locked = async (tx: Tx, serverId: string): Promise<MovedRow | undefined> => {
    const server = (await servers.lock(tx, serverId)) ?? refuse("server.not_found");
    if (server.driver !== "ssh") refuse("old_program.on_panel");
    return repository.find(tx, serverId);
  };
  const note = (tx: Tx, doer: Doer, action: "server.import_reversed" | "server.import_kept", row: MovedRow) =>
    audit.record(tx, doer.memberId, action, { target: row.server_id, after: { name: row.name } });

  return {
    state,
    async find(serverId: string) {
      const server = await serverOf(serverId);
      const moving = takeOverOn(server);
      const programs = [];
      for (const program of await look(server)) {
        const { name, how } = program;
        const about = {
          name,
          startedBy: how.by === "container" ? ("container" as const) : how.quick,
          isRunning: how.wasRunning,
          removesItself: how.by === "container" && how.removesItself,
        };
        const seen = await moving.preview(program).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          return error;
        });
        programs.push(
          seen instanceof Refusal
            ? { ...about, found: null, problem: whyFailed(seen) }
            : { ...about, found: summaryOf(seen), problem: null },
        );
      }
      return { programs };
    },
    async preview(serverId: string, name: string, owners: readonly string[], amneziawg?: boolean): Promise<Found> {
      const server = await serverOf(serverId);
      const program = named(seen.get(serverId)?.programs ?? (await look(server)), name);
      const found = await takeOverOn(server).preview(program, owners, amneziawg);
      return { ...found, listenPort: program.port ?? found.listenPort };
    },
    async take(doer: Doer, serverId: string, { program: name, publicKey, ...wish }: Take, origin: string) {
      const server = await serverOf(serverId);
      const moving = takeOverOn(server);
      // As it is now: somebody may have added a device there meanwhile.
      const program = named(await look(server), name);
      if (program.how.by === "container" && program.how.removesItself)
        refuse("old_program.removes_itself", { program: name });
      const found = await moving.preview(program);
      if (found.publicKey !== publicKey) refuse("old_program.changed", { program: name });
      const listenPort = wish.listenPort ?? program.port ?? found.listenPort;
      const whole = { ...wish, ...(listenPort === null ? {} : { listenPort }) };
      await moving.begin(doer, program, publicKey, whole, origin, (tx) => signals.send(tx, MOVED_ON, [serverId]));
      return state(serverId);
    },
    async links(serverId: string) {
      const row = (await repository.find(db, serverId)) ?? refuse("old_program.nothing_moved");
      return { invited: invitedOf(sealing, row) };
    },
    async back(doer: Doer, serverId: string) {
      await transact(async (tx) => {
        const row = await locked(tx, serverId);
        if (row === undefined || row.state === "left") return refuse("old_program.nothing_moved");
        if (row.state === "leaving") return;
        if (row.state !== "done") refuse("old_program.busy", { program: row.name });
        await repository.update(tx, row, { state: "leaving", why: null });
        signals.send(tx, MOVED_ON, [serverId]);
        await note(tx, doer, "server.import_reversed", row);
      });
      return state(serverId);
    },
    /** Leaves things as they are, and forgets the way back. */
    async keep(doer: Doer, serverId: string) {
      await transact(async (tx) => {
        const row = await locked(tx, serverId);
        if (row === undefined) return;
        const isOver = row.state === "left";
        // One that cannot go back would stand in the way of every other.
        if (row.state !== "done" && !isOver && row.trouble === null) refuse("old_program.busy", { program: row.name });
        await repository.remove(tx, row);
        if (!isOver) await note(tx, doer, "server.import_kept", row);
      });
      return state(serverId);
    },
    timed: [
      {
        // Those that a panel left unfinished when it ended.
        name: "imports from other programs",
        at: "*/10 * * * * *",
        run: async () => {
          for (const { server_id } of await repository.unfinished(db)) pursuits.pursue(server_id);
        },
      },
    ],
    forgetOld: () => transact((tx) => repository.forgetLinks(tx, clock.now().getTime() - LONGEST_LINK_MS)),
    async stop(): Promise<void> {
      for (const id of [...seen.keys()]) forget(id);
      await pursuits.stop();
    },
  };
}

const isExpected = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof MachineFailure ||
  error instanceof HostFailure ||
  error instanceof SshFailure;

const summaryOf = ({ subnet, amneziawg, devices }: Found) => ({
  subnet,
  amneziawg: amneziawg?.version ?? null,
  devices: devices.length,
});
