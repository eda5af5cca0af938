import type { ActualPeer } from "@krug/wireguard/interface";
import { type Applied, type DesiredHost, HostRefused } from "../../../hosts/host.ts";
import type { Tx } from "../../../platform/database/database.ts";
import type { ConfigOnServer } from "../configs/index.ts";
import type { InterfaceRow } from "../interfaces/index.ts";
import type { ServerRow } from "../servers/index.ts";
import type { Desired, makeDesired } from "./desired.ts";
import { unknownPeersFound } from "./events.ts";
import type { Notes } from "./notes.ts";
import { namedOn, type Owner, peerName } from "./owners.ts";
import type { ReconcilerParts } from "./parts.ts";
import type { makeCounterReader } from "./read-counters.ts";
import type { Turn } from "./turn.ts";

/** Compares and corrects all interfaces and peers of a server, and notes what that means for configs. */
export function makeWholeServer(
  parts: ReconcilerParts,
  { desiredOn }: Pick<ReturnType<typeof makeDesired>, "desiredOn">,
  { noteCounters, ownersOf, refuseIfTakenOver }: Notes,
  counters: Pick<ReturnType<typeof makeCounterReader>, "readNow">,
) {
  const { db, transact, log, events, servers, interfaces, configs, accessRules } = parts;
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
    const isAsApplied = (row: ConfigOnServer) => {
      const peer = peers.get(row.id);
      return peer?.public_key === row.public_key && peer.interface_id === row.interface_id;
    };
    const keyOf = new Map(rows.map((row) => [row.id, row.public_key]));
    const lost = new Set(applied.lostPeers.map(peerName));
    const isLost = ({ interface_id, public_key }: ConfigOnServer) =>
      lost.has(`${keyOf.get(interface_id)} ${public_key}`);
    const onWire = living.filter((row) => isAsApplied(row) && standing.has(row.interface_id) && !isLost(row));
    const onWireIds = new Set(onWire.map((row) => row.id));
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
    if (await lease.isOurs()) {
      await servers.noteForwarding(server, { counted, refusing, failure: applied.openingFailure });
      await servers.noteNames(server, applied.namesFailure);
      await servers.noteSpeeds(server, applied.speedFailure);
    }
    await servers.path.keepMeasured(server, host).catch(unlessGone(undefined));
  };

  /** @throws HostFailure, TakenOver */
  return async function setRight(turn: Turn): Promise<void> {
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
      await parts.exits.noteConflicts(tx, server, (name) => conflicts.get(name) ?? null);
      await accessRules.noteOnServer(tx, server.id, { revision: desired.revision, failure: applied.firewallFailure });
      await servers.update(tx, server.id, { reconciled_at: parts.clock.now().getTime() });
    };
    await transact(note, isQuiet ? { commit: "asynchronous" } : {});
    desired.note();
    await counters.readNow(turn, applied.seen);
    await lookAtWay(turn, desired.wish, applied);
  };
}
