import type { PublicKey } from "@krug/wireguard/keys";
import { type Applied, type Host, HostFailure, type PeersApplied } from "../../hosts/host.ts";
import type { Tx } from "../../platform/database/database.ts";
import { groupBy } from "../../platform/group-by.ts";
import { makeTurns, makeTurnsByKey } from "../../platform/turns.ts";
import { applyAccessRules } from "../access-rules/index.ts";
import { type ApplyConfigs, applyConfigs } from "../configs/index.ts";
import type { InterfaceRow } from "../interfaces/index.ts";
import { laneOf, reconcileServer, type ServerRow } from "../servers/index.ts";
import { type Desired, makeDesired } from "./desired.ts";
import type { ReconcilerParts } from "./parts.ts";
import { makeCounterReader } from "./read-counters.ts";
import { makeWaits } from "./waits.ts";

/** Servers worked on at once: each costs a connection, and memory for all of its peers. */
const AT_ONCE = 20;
/** Over which a round of more servers than that begins, so that they do not all start together. */
const SPREAD_MS = 20_000;

/**
 * Makes servers agree with the database, from any state. Small changes go the short way to their peers; every minute, at
 * start and when the short way does not fit, the whole server is compared and set right. Work on one server is done one
 * piece after the other.
 */
export function makeReconciler(parts: ReconcilerParts) {
  const { db, transact, log, jobs, servers, interfaces, configs, traffic, accessRules } = parts;
  const { desiredOn, withPeers, wantedAmong } = makeDesired(parts);
  const inTurn = makeTurnsByKey();
  const fewAtOnce = makeTurns(AT_ONCE);
  const waits = makeWaits(parts.clock);
  const oneByOne = <Result>(serverId: string, work: () => Promise<Result>): Promise<Result> =>
    inTurn(serverId, async () => {
      const done = await fewAtOnce(work);
      // Nobody is turned away: any number may wait.
      if (done === null) throw new Error("a server's work was turned away");
      return done.result;
    });
  const counters = makeCounterReader(parts, oneByOne);

  /** Runs work on a server's machine and notes whether it answered. A server away is no failure: the next minute tries again. */
  const onHost = async (server: ServerRow, work: (host: Host) => Promise<void>): Promise<void> => {
    const host = servers.hostOf(server);
    if (host === null) return servers.noteAnswer(server, "this panel has no way to the server");
    try {
      await work(host);
      waits.answered(server.id);
      await servers.noteAnswer(server, null);
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error;
      waits.failed(server.id);
      await noteDone(error.done);
      log.warn(
        { server: server.id, outcome: error.name, reason: error.reason },
        "a server could not be brought up to date",
      );
      await servers.noteAnswer(server, error.reason);
    }
  };

  /** Totals are closed before a peer goes and start from zero when it comes. */
  const noteCounters = async (
    tx: Tx,
    idOfKey: ReadonlyMap<string, string>,
    { removedPeers, addedPeers }: PeersApplied,
  ) => {
    const last = removedPeers.flatMap((peer) => {
      const configId = idOfKey.get(peer.publicKey);
      return configId === undefined ? [] : [{ configId, ...peer }];
    });
    await traffic.ingest(tx, last);
    const fresh = addedPeers.flatMap((publicKey) => {
      const configId = idOfKey.get(publicKey);
      return configId === undefined ? [] : [{ configId, publicKey }];
    });
    await traffic.startFromZero(tx, fresh);
  };

  /** What was done before a failure: its counters are read off the wire and stand nowhere else. */
  const noteDone = async (done: PeersApplied, known: ReadonlyMap<string, string> = new Map()) => {
    const keys = [...done.removedPeers.map((peer) => peer.publicKey), ...done.addedPeers];
    if (keys.length === 0) return;
    const idOfKey = new Map([...(await configs.idsByKeys(db, keys)), ...known]);
    await transact((tx) => noteCounters(tx, idOfKey, done));
  };

  /** Of what a full run did: what it means for configs, read before it is noted. */
  const readApplied = async ({ interfaces: rows, keys }: Desired, applied: Applied, standing: ReadonlySet<string>) => {
    const living = await configs.onInterfaces(
      db,
      rows.map((row) => row.id),
    );
    const onWire = living.filter((row) => keys.get(row.id) === row.public_key && standing.has(row.interface_id));
    const onWireIds = new Set(onWire.map((row) => row.id));
    const idOfKey = new Map([
      ...living.map((row) => [row.public_key, row.id] as const),
      ...[...keys].map(([id, key]) => [key, id] as const),
    ]);
    const unknown = applied.removedPeers.map((peer) => peer.publicKey as string).filter((key) => !idOfKey.has(key));
    for (const [key, id] of await configs.idsByKeys(db, unknown)) idOfKey.set(key, id);
    const gone = applied.removedPeers.flatMap(({ publicKey }) => {
      const id = idOfKey.get(publicKey);
      return id === undefined || onWireIds.has(id) ? [] : [{ id, public_key: publicKey as string }];
    });
    return async (tx: Tx) => {
      await noteCounters(tx, idOfKey, applied);
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

  const reconcile = (server: ServerRow) =>
    onHost(server, async (host) => {
      const desired = await desiredOn(server);
      const rows = desired.interfaces;
      const applied: Applied = await host.apply(desired.wish);
      const conflicts = new Map(applied.conflicts.map((conflict) => [conflict.name, conflict.detail]));
      const conflictOf = (row: InterfaceRow) => conflicts.get(row.interface_name) ?? null;
      const isQuiet =
        desired.isNoted &&
        applied.addedPeers.length === 0 &&
        applied.removedPeers.length === 0 &&
        rows.every((row) => row.conflict === conflictOf(row));
      const clear = rows.filter((row) => conflictOf(row) === null).map((row) => row.id);
      const noteApplied = isQuiet ? null : await readApplied(desired, applied, new Set(clear));
      await transact(async (tx) => {
        await noteApplied?.(tx);
        await configs.noteCounted(tx, clear);
        for (const row of rows)
          if (row.conflict !== conflictOf(row)) await interfaces.update(tx, row.id, { conflict: conflictOf(row) });
        await accessRules.noteOnServer(tx, server.id, { revision: desired.revision, failure: applied.firewallFailure });
        await servers.update(tx, server.id, { reconciled_at: parts.clock.now().getTime() });
      });
      desired.note();
      await counters.readNow(server, host, applied.seen);
    });

  /** The short way for access rules. @throws where the machine was not set right yet */
  const bringAccess = async (host: Host, server: ServerRow, by: { memberIds?: readonly string[] } = {}) => {
    const { revision, access } = await accessRules.desiredOn(db, server);
    await host.applyAccess(access);
    await transact((tx) => accessRules.noteOnServer(tx, server.id, { revision, failure: null, ...by }));
  };

  /** The short way: only these configs' peers. @throws when the interface is not up as it should be */
  const applyFew = async (
    host: Host,
    server: ServerRow,
    payloads: readonly ApplyConfigs[],
    end: (tx: Tx) => Promise<void>,
  ) => {
    const rows = await configs.byIds(db, [...new Set(payloads.flatMap((payload) => payload.configIds))]);
    // First, so that no device is on the wire without the rules that name its owner, nor under those of who had its address before.
    const memberIds = [...new Set(rows.map((row) => row.member_id))];
    if (await accessRules.nameAny(db, memberIds)) await bringAccess(host, server, { memberIds });
    const isWanted = await wantedAmong(rows);
    const gone = payloads.flatMap((payload) => payload.goneKeys);
    const places = await interfaces.places(db);
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
      const idOfKey = new Map([
        ...goneHere.map((key) => [key.publicKey, key.configId] as const),
        ...here.map((row) => [row.public_key, row.id] as const),
      ]);
      const asked = host.applyPeers({
        interfaceName: place.interface.interface_name,
        interfaceKey: place.interface.public_key as PublicKey,
        upsert: wanted.map(({ peer }) => peer),
        silence: off.map((row) => row.public_key as PublicKey),
        remove: goneHere.map((key) => key.publicKey as PublicKey),
      });
      const change = await asked.catch(async (error: unknown) => {
        if (error instanceof HostFailure) await noteDone(error.done, idOfKey);
        throw error;
      });
      await transact(async (tx) => {
        await noteCounters(tx, idOfKey, change);
        await configs.noteOnWire(
          tx,
          on.filter((row) => row.on_wire === 0),
          true,
        );
        await configs.noteSilenced(tx, off);
        if (at === touched.length - 1) await end(tx);
      });
    }
  };

  const find = async (serverId: string, work: (server: ServerRow) => Promise<void>) => {
    const server = await servers.find(db, serverId);
    if (server !== undefined) await oneByOne(serverId, () => work(server));
  };

  /** The short way, and where that does not fit the long one, which sets everything right. */
  const byShortWay = async (server: ServerRow, shortWay: (host: Host) => Promise<void>) => {
    const host = servers.hostOf(server);
    if (host === null || server.unreachable_since !== null) return reconcile(server);
    try {
      await shortWay(host);
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error;
      // An interface that is not up yet, or was deleted by hand.
      log.debug({ server: server.id, outcome: error.name, reason: error.reason }, "the short way did not fit");
      await reconcile(server);
    }
  };

  jobs.handle(reconcileServer, async (payloads) => {
    for (const [serverId, asked] of groupBy(payloads, (payload) => payload.serverId)) {
      const isOnlyRound = asked.every((payload) => payload.isRound === true);
      if (!isOnlyRound || !waits.isWaiting(serverId)) await find(serverId, reconcile);
    }
  });
  jobs.handle(applyConfigs, async (payloads, end) => {
    // A lane is one server's.
    for (const serverId of new Set(payloads.map((payload) => payload.serverId)))
      await find(serverId, (server) => byShortWay(server, (host) => applyFew(host, server, payloads, end)));
  });
  jobs.handle(applyAccessRules, async (payloads) => {
    for (const serverId of new Set(payloads.map((payload) => payload.serverId)))
      await find(serverId, (server) => byShortWay(server, (host) => bringAccess(host, server)));
  });

  /** Has every server compared and set right; the answer is the jobs to wait for. `isRound`: by the clock, and not demanded. */
  const reconcileAll = ({ isRound }: { isRound?: true } = {}): Promise<string[]> =>
    transact(async (tx) => {
      const ids: string[] = [];
      const all = await servers.all(tx);
      const spreadMs = isRound === true && all.length > AT_ONCE ? SPREAD_MS : 0;
      // A server whose own panel is away gets one job to find when it is back, and not one for every minute.
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
  /** The same after a look at the panel's own machine. */
  const lookAtServers = async (by?: { isRound?: true }): Promise<string[]> => {
    await servers.ensureLocal(interfaces);
    return reconcileAll(by);
  };

  return {
    reconcileAll,
    lookAtServers,
    timed: [{ name: "servers", at: "0 * * * * *", run: () => lookAtServers({ isRound: true }) }],
    readStats: counters.readStats,
    readAll: counters.readAll,
  };
}
