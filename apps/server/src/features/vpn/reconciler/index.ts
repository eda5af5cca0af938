import { reason, reasonLine } from "@krug/domain/reasons";
import type { ActualPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/keys";
import {
  type Applied,
  type Call,
  type DesiredHost,
  HostFailure,
  type HostLook,
  HostRefused,
  HostSuperseded,
  type PeerOn,
  type PeersApplied,
} from "../../../hosts/host.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { TakenOver } from "../../../platform/held-leases.ts";
import { makeLimiter, makeTurnsByKey } from "../../../platform/limiter.ts";
import { applyAccessRules } from "../access-rules/index.ts";
import { type ApplyConfigs, applyConfigs, type ConfigRow } from "../configs/index.ts";
import type { InterfaceRow, Place } from "../interfaces/index.ts";
import { laneOf, reconcileServer, type ServerRow, type Unanswered } from "../servers/index.ts";
import { type Difference, differencesOf } from "./compare.ts";
import { type Desired, makeDesired } from "./desired.ts";
import { unknownPeersFound } from "./events.ts";
import { makeLines } from "./lines.ts";
import { creditedTo, namedOn, type Owner, peerName } from "./owners.ts";
import type { ReconcilerParts } from "./parts.ts";
import { makeCounterReader } from "./read-counters.ts";
import type { InTurnOn, Turn } from "./turn.ts";
import { makeWaits } from "./waits.ts";

export { countersRefused, unknownPeersFound } from "./events.ts";
export type Reconciler = ReturnType<typeof makeReconciler>;
export type { Difference } from "./compare.ts";

/** Servers compared or read in full at once: each costs memory for all of its peers. */
const AT_ONCE = 20;
/** A round of more servers than that starts spread over this time. */
const SPREAD_MS = 20_000;
/** A server's interfaces, by id. */
type Places = ReadonlyMap<string, Place>;
/** The owners of these peers, by `peerName`. */
type Owners = ReadonlyMap<string, Owner>;
const UNPROVED: Unanswered = {
  why: reason("server.unproved_restore"),
  connection: { problem: "unproved_restore", shownKey: null },
};
const NOTHING_DONE: PeersApplied = { addedPeers: [], removedPeers: [] };

/**
 * Makes servers agree with the database, from any state. Small changes go directly to their peers; every minute, at start, and
 * when the direct way does not fit, the whole server is compared and corrected. Work on one server runs one piece after another,
 * on one panel (docs/adr/0040-one-panel-works-on-a-server.md).
 */
export function makeReconciler(parts: ReconcilerParts) {
  const { db, transact, log, jobs, events, heldLeases, fencing, servers, interfaces, configs, traffic, accessRules } =
    parts;
  const { desiredOn, withPeers, wantedAmong } = makeDesired(parts);
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

  /**
   * Checked before recording anything seen or done on a machine: by now another panel may have done something else there. The
   * last counters of removed peers exist nowhere else, so they are recorded anyway.
   * @throws TakenOver
   */
  const refuseIfTakenOver = async (
    { lease, server }: Turn,
    { removedPeers }: PeersApplied,
    known?: Owners,
  ): Promise<void> => {
    if (await lease.isOurs()) return;
    await noteDone(server, { addedPeers: [], removedPeers }, known);
    throw new TakenOver();
  };

  /** A machine says that it obeys a newer panel. Somebody else who took it over can say so too, but not prove it. */
  const heard = async (server: ServerRow, error: HostSuperseded): Promise<Unanswered> => {
    if (!(await fencing.isProved(error.by))) return UNPROVED;
    await fencing.noteNewer(error.by, server.name);
    return error;
  };

  /**
   * Runs work on a server's machine and records whether it answered. A server that is down is not a failure: the next minute tries
   * again.
   */
  const noteAnswerOf = async (turn: Turn, work: () => Promise<void>): Promise<void> => {
    const { server } = turn;
    try {
      await work();
      waits.answered(server.id);
      await servers.noteAnswer(server, null);
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error;
      await refuseIfTakenOver(turn, error.done);
      const failure = error instanceof HostSuperseded ? await heard(server, error) : error;
      waits.failed(server.id);
      await noteDone(server, error.done);
      log.warn(
        { server: server.id, outcome: error.name, reason: reasonLine(failure.why, "en") },
        "a server could not be brought up to date",
      );
      await servers.noteAnswer(server, failure);
    }
  };

  const owned = <Peer extends PeerOn>(owners: Owners, peers: readonly Peer[]) =>
    peers.flatMap((peer) => {
      const owner = owners.get(peerName(peer));
      return owner === undefined ? [] : [{ ...creditedTo(owner), ...peer }];
    });
  /** Totals are closed before a peer is removed and start from zero when it is added. */
  const noteCounters = async (
    tx: Tx,
    server: ServerRow,
    owners: Owners,
    { removedPeers, addedPeers }: PeersApplied,
  ) => {
    await traffic.ingest(tx, owned(owners, removedPeers), lines.of(server));
    await traffic.startFromZero(tx, owned(owners, addedPeers));
  };
  /** Whether `noteCounters` would write nothing. */
  const countsNothing = async (owners: Owners, { removedPeers, addedPeers }: PeersApplied): Promise<boolean> =>
    removedPeers.length === 0 && (await traffic.areFromZero(db, owned(owners, addedPeers)));

  /** The owners of these peers on a server; `known` ones are not looked up. */
  const ownersOf = async (server: ServerRow, peers: readonly PeerOn[], known: Owners = new Map()): Promise<Owners> => {
    const unknown = peers.filter((peer) => !known.has(peerName(peer))).map(({ publicKey }) => publicKey as string);
    if (unknown.length === 0) return known;
    const keyOf = new Map((await interfaces.everOn(db, server.id)).map((row) => [row.id, row.public_key]));
    const found = await configs.peersByKeys(db, unknown);
    return new Map([...found.flatMap((row) => namedOn(keyOf, row, row.key)), ...known]);
  };

  /** Records what was done before a failure: counters read off the wire exist nowhere else. */
  const noteDone = async (server: ServerRow, done: PeersApplied, known?: Owners) => {
    const peers = [...done.removedPeers, ...done.addedPeers];
    if (peers.length === 0) return;
    const owners = await ownersOf(server, peers, known);
    await transact((tx) => noteCounters(tx, server, owners, done));
  };

  /** Computes what a full run means for configs, before it is recorded. */
  const readApplied = async (
    server: ServerRow,
    { interfaces: rows, peers }: Desired,
    applied: Applied,
    standing: ReadonlySet<string>,
  ) => {
    const living = await configs.onInterfaces(
      db,
      rows.map((row) => row.id),
    );
    const isAsApplied = (row: ConfigRow) => {
      const peer = peers.get(row.id);
      return peer?.public_key === row.public_key && peer.interface_id === row.interface_id;
    };
    const onWire = living.filter((row) => isAsApplied(row) && standing.has(row.interface_id));
    const onWireIds = new Set(onWire.map((row) => row.id));
    const keyOf = new Map(rows.map((row) => [row.id, row.public_key]));
    const known = new Map<string, Owner>([
      ...living.flatMap((row) => namedOn(keyOf, row, row.public_key)),
      ...[...peers].flatMap(([id, peer]) => namedOn(keyOf, { id, ...peer }, peer.public_key)),
    ]);
    const owners = await ownersOf(server, applied.removedPeers, known);
    const gone = applied.removedPeers.flatMap((peer) => {
      const owner = owners.get(peerName(peer));
      if (owner === undefined || onWireIds.has(owner.id)) return [];
      return [{ id: owner.id, interface_id: owner.interface_id, public_key: peer.publicKey as string }];
    });
    return async (tx: Tx) => {
      await noteCounters(tx, server, owners, applied);
      await configs.noteOnWire(
        tx,
        onWire.filter((row) => row.on_wire === 0),
        true,
      );
      await configs.noteOnWire(
        tx,
        living.filter((row) => row.on_wire === 1 && !onWireIds.has(row.id)),
        false,
      );
      await configs.noteOnWire(tx, gone, false);
    };
  };

  /** After a restore: peers on the wire that are not in the backup stay until an admin decides. */
  const keepUnknown = async (tx: Tx, server: ServerRow, { id }: InterfaceRow, found: readonly ActualPeer[]) => {
    const row = await interfaces.lock(tx, id);
    if (row?.first_look_due !== 1) return;
    await configs.unknownPeers.add(tx, row, found);
    await interfaces.update(tx, id, { first_look_due: 0 });
    if (found.length === 0) return;
    await events.record(tx, unknownPeersFound, {
      interfaceId: id,
      name: row.name,
      server: server.name,
      count: found.length,
    });
    log.warn(
      { server: server.id, interface: id, count: found.length },
      "devices that are not in the backup stay on the wire",
    );
  };

  /** Checks whether members' packets pass, and unfragmented. A machine that cannot say holds up nothing else. */
  const lookAtWay = async ({ server, host, lease }: Turn, { interfaces: tunnels }: DesiredHost, applied: Applied) => {
    const unlessGone =
      <Otherwise>(otherwise: Otherwise) =>
      (error: unknown) => {
        if (error instanceof HostRefused) return otherwise;
        throw error;
      };
    const [counted, refusing] = await Promise.all([
      host.passing().catch(unlessGone(null)),
      tunnels.length === 0
        ? []
        : host.refusing(tunnels.map(({ name, addresses }) => ({ name, addresses }))).catch(unlessGone([])),
    ]);
    if (await lease.isOurs())
      await servers.noteForwarding(server, { counted, refusing, failure: applied.openingFailure });
    await servers.path.keepMeasured(server, host).catch(unlessGone(undefined));
  };

  const setRight = async (turn: Turn) => {
    const { server, host, lease } = turn;
    const everOn = (await interfaces.everOn(db, server.id)).map(({ id }) => id);
    const undropped = await configs.undroppedOn(db, everOn);
    const desired = await desiredOn(server);
    const rows = desired.interfaces;
    const applied: Applied = await host.apply(desired.wish, { lease });
    await refuseIfTakenOver(turn, applied);
    const conflicts = new Map(applied.conflicts.map((conflict) => [conflict.name, conflict.why]));
    const conflictOf = (row: InterfaceRow) => conflicts.get(row.interface_name) ?? null;
    const isQuiet =
      desired.isNoted &&
      undropped.length === 0 &&
      applied.addedPeers.length === 0 &&
      applied.removedPeers.length === 0 &&
      rows.every((row) => row.conflict === conflictOf(row));
    const clear = rows.filter((row) => conflictOf(row) === null).map((row) => row.id);
    const noteApplied = isQuiet ? null : await readApplied(server, desired, applied, new Set(clear));
    const sparedOn = new Map(applied.spared.map(({ interfaceKey, peers }) => [interfaceKey as string, peers]));
    const inConflict = new Set(rows.filter((row) => conflictOf(row) !== null).map((row) => row.id));
    // Whatever happened to their peers, the machine has none of them now.
    const dropped = undropped.filter((row) => !inConflict.has(row.interface_id));
    const counted = everOn.filter((id) => !inConflict.has(id));
    const note = async (tx: Tx) => {
      await noteApplied?.(tx);
      await configs.noteOnWire(tx, dropped, false);
      for (const row of rows) {
        const found = conflictOf(row) === null ? sparedOn.get(row.public_key) : undefined;
        if (found !== undefined) await keepUnknown(tx, server, row, found);
      }
      await configs.noteCounted(tx, counted);
      for (const row of rows)
        if (row.conflict !== conflictOf(row)) await interfaces.update(tx, row.id, { conflict: conflictOf(row) });
      await accessRules.noteOnServer(tx, server.id, { revision: desired.revision, failure: applied.firewallFailure });
      await servers.update(tx, server.id, { reconciled_at: parts.clock.now().getTime() });
    };
    await transact(note, isQuiet ? { commit: "asynchronous" } : {});
    desired.note();
    await counters.readNow(turn, applied.seen);
    await lookAtWay(turn, desired.wish, applied);
  };

  const reconcile = (turn: Turn) => noteAnswerOf(turn, () => amongFew(turn, () => setRight(turn)));

  /** Applies access rules directly. @throws if the machine was not set up yet */
  const bringAccess = async (turn: Turn, by: { memberIds?: readonly string[] } = {}) => {
    const { server, host, lease } = turn;
    const { revision, access } = await parts.routing.desiredOn(db, server);
    await host.applyAccess(access, { lease });
    await refuseIfTakenOver(turn, NOTHING_DONE);
    await transact((tx) => accessRules.noteOnServer(tx, server.id, { revision, failure: null, ...by }));
  };

  /** Applies only these configs' peers. @throws if the interface is not up as it should be */
  const applyFew = async (
    turn: Turn,
    places: Places,
    payloads: readonly ApplyConfigs[],
    end: (tx: Tx) => Promise<void>,
  ) => {
    const rows = await configs.byIds(db, [...new Set(payloads.flatMap((payload) => payload.configIds))]);
    // First: no device may be on the wire without its owner's rules, or under those of its address's previous owner.
    const memberIds = [...new Set(rows.map((row) => row.member_id))];
    const isOnRouted = rows.some((row) => places.get(row.interface_id)?.interface.routing === "server");
    if (isOnRouted || (await accessRules.nameAny(db, memberIds))) await bringAccess(turn, { memberIds });
    const isWanted = await wantedAmong(rows, places);
    const gone = payloads.flatMap((payload) => payload.goneKeys);
    const touched = [
      ...new Set([...rows, ...gone.map((key) => ({ interface_id: key.interfaceId }))].map((of) => of.interface_id)),
    ]
      .flatMap((id) => places.get(id) ?? [])
      .filter((place) => place.interface.is_active === 1);
    for (const [at, place] of touched.entries()) {
      const interfaceId = place.interface.id;
      const here = rows.filter((row) => row.interface_id === interfaceId && row.address !== "");
      const wanted = withPeers(here.filter(isWanted));
      const on = wanted.map(({ row }) => row);
      const off = here.filter((row) => !isWanted(row));
      const goneHere = gone.filter((key) => key.interfaceId === interfaceId);
      const keyOf = new Map([[interfaceId, place.interface.public_key]]);
      const known = new Map<string, Owner>([
        ...goneHere.flatMap(({ configId: id, publicKey }) =>
          namedOn(keyOf, { id, interface_id: interfaceId, place_of: null }, publicKey),
        ),
        ...here.flatMap((row) => namedOn(keyOf, row, row.public_key)),
      ]);
      const wish = {
        interfaceName: place.interface.interface_name,
        interfaceKey: place.interface.public_key as PublicKey,
        upsert: wanted.map(({ peer }) => peer),
        silence: off.map((row) => row.public_key as PublicKey),
        remove: goneHere.map((key) => key.publicKey as PublicKey),
      };
      const asked = turn.host.applyPeers(wish, { lease: turn.lease });
      const change = await asked.catch(async (error: unknown) => {
        if (error instanceof HostFailure) await noteDone(turn.server, error.done, known);
        throw error;
      });
      await refuseIfTakenOver(turn, change, known);
      const owners = await ownersOf(turn.server, [...change.removedPeers, ...change.addedPeers], known);
      const isNoteOnly = await countsNothing(owners, change);
      const note = async (tx: Tx) => {
        if (!isNoteOnly) await noteCounters(tx, turn.server, owners, change);
        await configs.noteOnWire(
          tx,
          on.filter((row) => row.on_wire === 0),
          true,
        );
        await configs.noteSilenced(tx, off);
        if (at === touched.length - 1) await end(tx);
      };
      // If a note is lost, so is the end of its job: the job is done again.
      await transact(note, isNoteOnly ? { commit: "asynchronous" } : {});
    }
  };

  /** @throws TakenOver while another panel works on the server: the job is left to that one */
  const demandOn = async (serverId: string, work: (turn: Turn) => Promise<void>): Promise<void> => {
    const server = await servers.find(db, serverId);
    if (server === undefined) return;
    const host = servers.hostOf(server);
    if (host !== null) {
      if (!(await inTurnOn(server, host, work))) throw new TakenOver();
    } else await servers.noteAnswer(server, { why: reason("panel.no_way") });
  };

  /** Tries the direct way; if that does not fit, a full run corrects everything. */
  const byShortWay = async (turn: Turn, shortWay: (places: Places) => Promise<void>) => {
    const { server } = turn;
    const places = await interfaces.placesOn(db, server);
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
    const { wish } = await desiredOn(server);
    const peers = wish.interfaces.reduce((all, each) => all + each.peers.length, 0);
    const { notForwarding, refusals } = look;
    return { differences: differencesOf(wish, look), notForwarding, refusals, peers };
  };

  return {
    reconcileAll,
    lookAtServers,
    compare,
    timed: [
      { name: "servers", at: "0 * * * * *", run: () => lookAtServers({ isRound: true }) },
      {
        name: "this machine's server",
        at: "*/10 * * * * *",
        run: async () => {
          if (servers.mayAdopt()) await lookAtServers();
        },
      },
    ],
    readStats: counters.readStats,
    speedOf: counters.speedOf,
    peersSeen: counters.peersSeen,
    readOwn: counters.readOwn,
    peerSeen: counters.peerSeen,
    readAll: counters.readAll,
  };
}
