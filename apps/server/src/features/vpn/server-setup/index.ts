import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { SetupStep } from "@krug/contract/vpn/server-setup";
import { DAY_MS, MINUTE_MS } from "@krug/domain/moment";
import { HostFailure } from "../../../hosts/host.ts";
import { MachineFailure, type TunnelPlace } from "../../../hosts/remote.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { makePursuits } from "../../../platform/pursuits.ts";
import { refuse } from "../../../platform/refusal.ts";
import { needsSetup, type ServerRow, tunnelPlace } from "../servers/index.ts";
import type { SetupParts } from "./parts.ts";
import { type Ending, record, SETUP_CHANGED } from "./record.ts";
import * as repository from "./repository.ts";
import { makeSteps } from "./steps.ts";
import type { RunRow } from "./table.ts";

export { SETUP_CHANGED } from "./record.ts";
export type { RunRow } from "./table.ts";

/** How long a step waits for a machine that is down. */
const AWAY_MS = 10 * MINUTE_MS;
const AGAIN_MS = 3_000;
const KEPT_MS = 30 * DAY_MS;

const leaseOf = ({ server_id }: RunRow) => `setup:${server_id}`;

/** Signals that a try waits for the panel that holds the machine's lease. */
const BEGUN = "setup.begun";

export type ServerSetup = ReturnType<typeof makeServerSetup>;

/**
 * Makes an empty machine a VPN server in three steps (decisions, section 7). A step runs whether or not anybody watches, and
 * another panel continues it if this one stops.
 */
export function makeServerSetup(parts: SetupParts) {
  const { db, transact, clock, log, signals, heldLeases, audit, servers } = parts;
  const steps = makeSteps(parts);

  const serverOf = async (id: string): Promise<ServerRow> => {
    const server = (await servers.find(db, id)) ?? refuse("server.not_found");
    return server.driver === "ssh" ? server : refuse("server.is_local");
  };
  const latestOf = (over: Parameters<typeof repository.latest>[0], server: ServerRow) =>
    repository.latest(over, server.id, server.setup_since ?? 0);

  /** Now, but after every try so far, even those of a clock that was ahead: the latest try of a step counts. */
  const afterAll = ({ setup_since }: ServerRow, latest: Awaited<ReturnType<typeof latestOf>>): number =>
    Math.max(clock.now().getTime(), setup_since ?? 0, ...[...latest.values()].map((run) => run.started_at + 1));

  /** Works on a try until it has ended, over as many connections as that takes. */
  const work = async (runId: string): Promise<void> => {
    let awaySince: number | null = null;
    const reached = () => {
      awaySince = null;
    };
    while (!pursuits.signal.aborted) {
      const run = await repository.find(db, runId);
      if (run?.state !== "running") return;
      const server = await servers.find(db, run.server_id);
      const recording = record(parts, run);
      if (server === undefined) return recording.end({ failure: "interrupted", detail: null });
      const lease = await heldLeases.hold(leaseOf(run));
      // Another panel works on it.
      if (lease === null) return;
      let ending: Ending | null;
      try {
        ending = await steps[run.step]({ run, server, recording, reached, signal: pursuits.signal });
      } catch (error) {
        if (pursuits.signal.aborted) return;
        const meant = steps.endingOf(error);
        if (meant === undefined) {
          log.error({ err: error, server: server.id, step: run.step }, "a set-up step failed");
          ending = { failure: "failed", detail: null };
        } else ending = meant;
        awaySince ??= clock.now().getTime();
        const isLong = clock.now().getTime() - awaySince > AWAY_MS;
        if (ending === null && (run.cancelled === 1 || isLong))
          ending = {
            failure: run.cancelled === 1 ? "cancelled" : "no_connection",
            detail: error instanceof MachineFailure || error instanceof HostFailure ? error.why : null,
          };
      }
      if (!(await lease.isOurs())) return;
      if (ending !== null) return recording.end(ending);
      await recording.flush();
      await wait(AGAIN_MS, undefined, { ref: false });
    }
  };
  const pursuits = makePursuits(log, "a set-up step could not be gone on with", work);
  const { pursue } = pursuits;

  // The panel that last worked on the machine holds its lease.
  signals.on(BEGUN, async (runIds) => {
    for (const id of runIds) {
      const run = pursuits.underWay(id) !== undefined ? undefined : await repository.find(db, id);
      if (run !== undefined && heldLeases.holds(leaseOf(run))) pursue(id);
    }
  });

  return {
    serverOf,
    latestOf,
    /** Starts a step, or joins the running one. A step that succeeded is not repeated. @throws Refusal */
    async begin(actor: Actor, serverId: string, step: SetupStep): Promise<RunRow> {
      await serverOf(serverId);
      const run = await transact(async (tx) => {
        const server = (await servers.lock(tx, serverId)) ?? refuse("server.not_found");
        const latest = await latestOf(tx, server);
        const mine = latest.get(step);
        if (mine?.state === "success" || mine?.state === "running") return mine;
        for (const other of latest.values()) if (other.state === "running") refuse("setup.busy");
        const before = SetupStep.options.slice(0, SetupStep.options.indexOf(step));
        if (before.some((each) => latest.get(each)?.state !== "success")) refuse("setup.not_yet");
        const row: RunRow = {
          id: randomUUID(),
          server_id: serverId,
          step,
          state: "running",
          failure: null,
          detail: null,
          lines: 0,
          heard: 0,
          cancelled: 0,
          started_by: actor.memberId,
          started_at: afterAll(server, latest),
          ended_at: null,
        };
        await repository.insert(tx, row);
        await audit.record(tx, actor.memberId, "server.setup_started", { target: serverId, after: { step } });
        signals.send(tx, SETUP_CHANGED, [serverId]);
        signals.send(tx, BEGUN, [row.id]);
        return row;
      });
      if (run.state === "running") pursue(run.id);
      return run;
    },
    /** Chooses where set-up puts its tunnels. A machine set up differently is set up again; its tunnels keep running until then. */
    async choosePlace(actor: Actor, serverId: string, place: TunnelPlace): Promise<ServerRow> {
      await serverOf(serverId);
      return transact(async (tx) => {
        const server = (await servers.lock(tx, serverId)) ?? refuse("server.not_found");
        const latest = await latestOf(tx, server);
        for (const { state } of latest.values()) if (state === "running") refuse("setup.busy");
        const before = tunnelPlace(server);
        if (before === place && server.tunnels_in === place) return server;
        const change = { tunnels_in: place, ...(before !== place && { setup_since: afterAll(server, latest) }) };
        await servers.update(tx, serverId, change);
        if (before !== place)
          await audit.record(tx, actor.memberId, "server.changed", {
            target: serverId,
            before: { tunnels_in: before },
            after: { tunnels_in: place },
          });
        signals.send(tx, SETUP_CHANGED, [serverId]);
        return { ...server, ...change };
      });
    },
    /** Asks the running step to stop before its next command. */
    async cancel(serverId: string): Promise<void> {
      const server = await serverOf(serverId);
      const running = [...(await latestOf(db, server)).values()].find(({ state }) => state === "running");
      if (running === undefined) return;
      await transact((tx) => repository.update(tx, running.id, { cancelled: 1 }));
      if (server.is_prepared === 1)
        await servers.connections
          .remoteOf(server)
          .cancel(running.id)
          .catch((error: unknown) => log.info({ server: serverId, reason: String(error) }, "could not stop a step"));
    },
    /** Resolves when the try has ended, or after `withinMs`. */
    async ended(runId: string, withinMs: number): Promise<RunRow> {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const run = await repository.find(db, runId);
        if (run === undefined) return refuse("server.not_found");
        if (run.state !== "running" || performance.now() >= deadline) return run;
        const mine = pursuits.underWay(runId);
        const ms = mine === undefined ? 500 : deadline - performance.now();
        await Promise.race([wait(ms, undefined, { ref: false }), ...(mine === undefined ? [] : [mine])]);
      }
    },
    isComplete: (server: ServerRow) => !needsSetup(server),
    timed: [
      {
        // Those that a panel left unfinished when it ended.
        name: "set-up steps",
        at: "*/10 * * * * *",
        run: async () => {
          for (const { id } of await repository.running(db)) pursue(id);
        },
      },
    ],
    forgetOld: () => transact((tx) => repository.forget(tx, clock.now().getTime() - KEPT_MS)),
    stop: pursuits.stop,
  };
}
