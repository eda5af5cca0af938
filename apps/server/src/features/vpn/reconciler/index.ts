import { reason } from "@krug/domain/reasons";
import { type Call, HostFailure, type HostLook } from "../../../hosts/host.ts";
import type { Db } from "../../../platform/database/database.ts";
import { gathered } from "../../../platform/database/gathered.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { TakenOver } from "../../../platform/held-leases.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { makeLimiter, makeTurnsByKey } from "../../../platform/limiter.ts";
import { memberSpeedChanged } from "../../members/members/index.ts";
import { applyAccessRules } from "../access-rules/index.ts";
import { applyConfigs } from "../configs/index.ts";
import { laneOf, reconcileServer, type ServerRow } from "../servers/index.ts";
import { type Difference, differencesOf } from "./compare.ts";
import { makeDesired } from "./desired.ts";
import { makeFewPeers, type Places } from "./few-peers.ts";
import { makeLines } from "./lines.ts";
import { makeNotes } from "./notes.ts";
import type { ReconcilerParts } from "./parts.ts";
import { makeCounterReader } from "./read-counters.ts";
import type { InTurnOn, Turn } from "./turn.ts";
import { makeWaits } from "./waits.ts";
import { makeWholeServer } from "./whole-server.ts";

export { countersRefused, unknownPeersFound } from "./events.ts";
export type Reconciler = ReturnType<typeof makeReconciler>;
export type { Difference } from "./compare.ts";

/** Servers compared or read in full at once: each costs memory for all of its peers. */
const AT_ONCE = 20;
/** A round of more servers than that starts spread over this time. */
const SPREAD_MS = 20_000;
/** One panel begins a round for all. Less than a minute, so that the next round does not need the same panel. */
const ROUND_LEASE_MS = 30_000;
/** Brings members' speed limits to a server. */
const applySpeeds = jobKind<{ serverId: string }>("speeds.apply", { underLease: true });

/**
 * Makes servers agree with the database, from any state. Small changes go directly to their peers; every minute, at start, and
 * when the direct way does not fit, the whole server is compared and corrected. Work on one server runs one piece after another,
 * on one panel (docs/adr/0040-one-panel-works-on-a-server.md).
 */
export function makeReconciler(parts: ReconcilerParts) {
  const { db, transact, log, jobs, events, heldLeases, servers, interfaces } = parts;
  const desired = makeDesired(parts);
  const limited = makeTurnsByKey();
  const fewAtOnce = makeLimiter(AT_ONCE);
  const waits = makeWaits(parts.clock);
  /** Runs work on a server's machine when its turn comes, here and among all panels. */
  const inTurnOn: InTurnOn = (server, host, work) =>
    limited(server.id, async () => {
      const lease = await heldLeases.hold(laneOf(server).lane);
      if (lease === null) return false;
      await work({ server, host, lease });
      return true;
    });
  /** For work on all of a server's peers. Its machine has to answer first, so that a silent one delays no others. */
  const amongFew = async ({ host }: Turn, work: () => Promise<void>): Promise<void> => {
    await host.reach();
    await fewAtOnce(work);
  };
  const lines = makeLines(parts.clock);
  const counters = makeCounterReader(parts, lines, (server, host, work) =>
    inTurnOn(server, host, (turn) => amongFew(turn, () => work(turn))),
  );
  const notes = makeNotes(parts, lines, waits);
  const setRight = makeWholeServer(parts, desired, notes, counters);
  const { applyFew, bringAccess, bringSpeeds } = makeFewPeers(parts, desired, notes);

  const reconcile = (turn: Turn) => notes.noteAnswerOf(turn, () => amongFew(turn, () => setRight(turn)));

  // Many servers' jobs begin at the same moment.
  const serversOf = gathered(
    async (over: Db, ids: readonly string[]) =>
      new Map((await servers.byIds(over, [...new Set(ids)])).map((server) => [server.id, server])),
  );
  const placesOf = gathered(async (over: Db, some: readonly ServerRow[]) =>
    groupBy(await interfaces.placesOnAll(over, some), ([, place]) => place.server.id),
  );

  /** @throws TakenOver while another panel works on the server: the job is left to that one */
  const demandOn = async (serverId: string, work: (turn: Turn) => Promise<void>): Promise<void> => {
    const server = (await serversOf(db, serverId)).get(serverId);
    if (server === undefined) return;
    const host = servers.hostOf(server);
    if (host !== null) {
      if (!(await inTurnOn(server, host, work))) throw new TakenOver();
    } else await servers.noteAnswer(server, { why: reason("panel.no_way") });
  };

  /** Tries the direct way; if that does not fit, a full run corrects everything. */
  const byShortWay = async (turn: Turn, shortWay: (places: Places) => Promise<void>) => {
    const { server } = turn;
    const places = new Map((await placesOf(db, server)).get(server.id));
    const isFirstLook = [...places.values()].some((place) => place.interface.first_look_due === 1);
    if (isFirstLook || server.unreachable_since !== null) return reconcile(turn);
    try {
      await shortWay(places);
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error;
      // An interface that is not up yet, or was deleted by hand.
      log.debug({ server: server.id, outcome: error.name, reason: error.message }, "the short way did not fit");
      await reconcile(turn);
    }
  };

  jobs.handle(reconcileServer, async (payloads) => {
    for (const [serverId, asked] of groupBy(payloads, (payload) => payload.serverId)) {
      const isOnlyRound = asked.every((payload) => payload.isRound === true);
      if (!isOnlyRound || !waits.isWaiting(serverId)) await demandOn(serverId, reconcile);
    }
  });
  jobs.handle(applyConfigs, async (payloads, end) => {
    // A lane belongs to one server.
    for (const serverId of new Set(payloads.map((payload) => payload.serverId)))
      await demandOn(serverId, (turn) => byShortWay(turn, (places) => applyFew(turn, places, payloads, end)));
  });
  jobs.handle(applyAccessRules, async (payloads) => {
    for (const serverId of new Set(payloads.map((payload) => payload.serverId)))
      await demandOn(serverId, (turn) => byShortWay(turn, () => bringAccess(turn)));
  });

  jobs.handle(applySpeeds, async (payloads) => {
    for (const serverId of new Set(payloads.map((payload) => payload.serverId)))
      await demandOn(serverId, (turn) => byShortWay(turn, (places) => bringSpeeds(turn, places)));
  });
  events.onAll(memberSpeedChanged, async (tx) => {
    for (const server of await servers.workable(tx))
      await jobs.enqueue(tx, applySpeeds, {
        payload: { serverId: server.id },
        ...laneOf(server),
        unlessWaiting: true,
      });
  });

  /** Has every server compared and corrected; returns the jobs to wait for. `isRound`: by the clock, not on demand. */
  const reconcileAll = ({ isRound }: { isRound?: true } = {}): Promise<string[]> =>
    transact(async (tx) => {
      const ids: string[] = [];
      const all = await servers.workable(tx);
      const spreadMs = isRound === true && all.length > AT_ONCE ? SPREAD_MS : 0;
      // A server whose panel is down gets one job to find on its return, not one per minute.
      for (const server of all)
        ids.push(
          await jobs.enqueue(tx, reconcileServer, {
            payload: { serverId: server.id, ...(isRound ? { isRound } : {}) },
            ...laneOf(server),
            afterMs: Math.floor(Math.random() * spreadMs),
            unlessWaiting: true,
          }),
        );
      return ids;
    });
  /** The same after an inspection of the panel's own machine. */
  const lookAtServers = async (by?: { isRound?: true }): Promise<string[]> => {
    await servers.ensureLocal(interfaces, by);
    return reconcileAll(by);
  };

  /**
   * Differences on a server's machine, and anything else that stops members' packets. Nothing is changed or recorded, and no
   * lease is taken. Null if this panel cannot reach the machine.
   * @throws HostFailure
   */
  const compare = async (
    server: ServerRow,
    call?: Call,
  ): Promise<(Pick<HostLook, "notForwarding" | "refusals"> & { differences: Difference[]; peers: number }) | null> => {
    const host = servers.hostOf(server);
    if (host === null) return null;
    const look = await host.look(call);
    const { wish } = await desired.desiredOn(server);
    const peers = wish.interfaces.reduce((all, each) => all + each.peers.length, 0);
    const { notForwarding, refusals } = look;
    const differences = differencesOf(wish, look);
    const count = await host.lackingSpeeds(wish.speeds ?? [], call);
    if (count > 0) differences.push({ kind: "speeds", count });
    return { differences, notForwarding, refusals, peers };
  };

  return {
    reconcileAll,
    lookAtServers,
    compare,
    timed: [
      {
        name: "servers",
        at: "0 * * * * *",
        leaseMs: ROUND_LEASE_MS,
        elsewhere: () => servers.ensureLocal(interfaces, { isRound: true }),
        run: () => lookAtServers({ isRound: true }),
      },
      {
        name: "this machine's server",
        at: "*/10 * * * * *",
        run: async () => {
          if (servers.mayAdopt()) await lookAtServers();
        },
      },
    ],
    readStats: counters.readStats,
    isRead: counters.isRead,
    speedOf: counters.speedOf,
    peersSeen: counters.peersSeen,
    readOwn: counters.readOwn,
    peerSeen: counters.peerSeen,
    readAll: counters.readAll,
  };
}
