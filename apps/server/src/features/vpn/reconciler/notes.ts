import { reason, reasonLine } from "@krug/domain/reasons";
import { HostFailure, HostSuperseded, type PeerOn, type PeersApplied } from "../../../hosts/host.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { TakenOver } from "../../../platform/held-leases.ts";
import type { ServerRow, Unanswered } from "../servers/index.ts";
import type { Lines } from "./lines.ts";
import { creditedTo, namedOn, type Owner, peerName } from "./owners.ts";
import type { ReconcilerParts } from "./parts.ts";
import type { Turn } from "./turn.ts";
import type { makeWaits } from "./waits.ts";

/** The owners of these peers, by `peerName`. */
type Owners = ReadonlyMap<string, Owner>;
const UNPROVED: Unanswered = {
  why: reason("server.unproved_restore"),
  connection: { problem: "unproved_restore", shownKey: null },
};

export type Notes = ReturnType<typeof makeNotes>;

/** Notes what was seen and done on servers' machines, for as long as this panel is the one that works there. */
export function makeNotes(
  { db, transact, log, fencing, servers, interfaces, configs, traffic }: ReconcilerParts,
  lines: Lines,
  waits: ReturnType<typeof makeWaits>,
) {
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

  return { noteCounters, countsNothing, ownersOf, noteDone, refuseIfTakenOver, noteAnswerOf };
}
