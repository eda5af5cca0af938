import type { SpeedAnswer } from "@krug/contract/vpn/configs";
import type { ActualPeer } from "@krug/wireguard/interface";
import { HostFailure, type ReadInterface } from "../../../hosts/host.ts";
import { unlessFull } from "../../../platform/database/trouble.ts";
import { outsideRequests } from "../../../platform/http/current-request.ts";
import { laneNameOf, type ServerRow } from "../servers/index.ts";
import { isCounted, laterHandshake, type Reading } from "../traffic/index.ts";
import { countersRefused } from "./events.ts";
import type { Lines } from "./lines.ts";
import { creditedTo } from "./owners.ts";
import type { ReconcilerParts } from "./parts.ts";
import { makeReadingBudget } from "./reading-budget.ts";
import type { InTurnOn, Turn } from "./turn.ts";

/** A caller gets a reading at most this old, unless an older one will do. */
const FRESH_MS = 2_000;
const READING_WAIT_MS = 1_000;
/** A speed needs two readings at least this far apart, and is shown until the next one is overdue. */
const SPEED_OVER_MS = 1_000;
const SPEED_FOR_MS = 90_000;
/** A working panel reads every minute. */
const SEEN_FOR_MS = 3 * 60_000;
const AT_REST: SpeedAnswer = { received: 0, sent: 0 };

type Seen = Pick<ActualPeer, "rxBytes" | "txBytes" | "lastHandshakeAt">;

const isSame = (a: Seen | undefined, b: Seen) =>
  a === b ||
  (a !== undefined && a.rxBytes === b.rxBytes && a.txBytes === b.txBytes && a.lastHandshakeAt === b.lastHandshakeAt);

/** A peer that changed since the last reading. */
type Moved = Seen & { interfaceId: string; life: string | null; publicKey: string; earlier: Seen | undefined };

/** Bytes a second by config, adding both places of a moving device. */
function speedsOf(readings: readonly { reading: Reading; earlier: Seen | undefined }[], overMs: number) {
  const found = new Map<string, SpeedAnswer>();
  for (const { reading, earlier } of readings) {
    const { configId, rxBytes, txBytes } = reading;
    if (earlier === undefined || rxBytes < earlier.rxBytes || txBytes < earlier.txBytes) continue;
    const { received, sent } = found.get(configId) ?? AT_REST;
    found.set(configId, {
      received: received + ((txBytes - earlier.txBytes) * 1_000) / overMs,
      sent: sent + ((rxBytes - earlier.rxBytes) * 1_000) / overMs,
    });
  }
  return found;
}

/** Reads peers' counters off the machines and updates the totals; one reading at a time for each server. */
export function makeCounterReader(
  { db, transact, clock, log, events, heldLeases, servers, interfaces, configs, traffic }: ReconcilerParts,
  lines: Lines,
  inTurnOn: InTurnOn,
) {
  const forViewers = makeReadingBudget();
  const readAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  // By server: only peers that changed since the last reading cost a query.
  const lastSeen = new Map<
    string,
    { at: number; lists: ActualPeer[][]; carrying: number; peers: ReadonlyMap<string, ReadonlyMap<string, Seen>> }
  >();
  // By server, then by config; only those that changed.
  const speeds = new Map<string, { at: number; ofConfigs: Map<string, SpeedAnswer> }>();

  /** `seen`: a reading made just now, if there is one. */
  const readNow = async ({ server, host, lease }: Turn, seen: ReadInterface[] | null = null): Promise<void> => {
    const own = new Map((await interfaces.ofServer(db, server.id)).map((row) => [row.public_key, row.id]));
    const before = lastSeen.get(server.id);
    const standing = (seen ?? (await host.read())).flatMap(({ publicKey, life, peers }) => {
      const interfaceId = publicKey === null ? undefined : own.get(publicKey);
      return interfaceId === undefined ? [] : [{ interfaceId, life, peers }];
    });
    const at = clock.now().getTime();
    readAt.set(server.id, at);
    const lists = standing.map(({ peers }) => peers);
    // The machine answered exactly the same.
    if (lists.length === before?.lists.length && lists.every((list, place) => list === before.lists[place])) {
      lastSeen.set(server.id, { ...before, at });
      if (at - before.at >= SPEED_OVER_MS) speeds.set(server.id, { at, ofConfigs: new Map() });
      return;
    }
    // By interface, because a moving device has the same key on two.
    const present = new Map<string, Map<string, Seen>>();
    const moved: Moved[] = [];
    for (const { interfaceId, life, peers } of standing) {
      const here = new Map<string, Seen>();
      const last = before?.peers.get(interfaceId);
      present.set(interfaceId, here);
      for (const peer of peers) {
        const earlier = last?.get(peer.publicKey);
        here.set(peer.publicKey, peer);
        if (!isSame(earlier, peer)) moved.push({ ...peer, interfaceId, life, earlier });
      }
    }
    const readings = moved.length === 0 ? [] : await readingsOf(moved);
    // Counted after a newer reading, an older one would look like a counter reset.
    if (readings.length > 0 && !(await lease.isOurs())) return;
    const refused = await traffic.count(
      readings.map(({ reading }) => reading),
      lines.of(server),
    );
    if (refused.size > 0) {
      log.warn({ server: server.id, devices: refused.size }, "a server says of its traffic what cannot be");
      await transact((tx) => events.record(tx, countersRefused, { serverId: server.id, name: server.name }));
    }
    const believed = readings.filter(({ reading }) => !refused.has(reading));
    const arrived = believed.flatMap(({ reading, isMoving }) =>
      isMoving && reading.lastHandshakeAt !== null ? [reading.configId] : [],
    );
    if (arrived.length > 0) await configs.arrived(arrived);
    // The panel's own peer and silenced ones have no addresses.
    const carrying = lists.flat().filter(({ allowedIps }) => allowedIps.length > 0).length;
    lastSeen.set(server.id, { at, lists, carrying, peers: present });
    const overMs = before === undefined ? 0 : at - before.at;
    if (overMs >= SPEED_OVER_MS) speeds.set(server.id, { at, ofConfigs: speedsOf(believed, overMs) });
  };

  /** `isMoving`: the reading is from the place its device moves to. */
  const readingsOf = async (peers: readonly Moved[]) => {
    const rows = await configs.peersByKeys(
      db,
      peers.map(({ publicKey }) => publicKey),
    );
    const owners = new Map(rows.map((row) => [`${row.interface_id} ${row.key}`, row]));
    return peers.flatMap(({ interfaceId, life, publicKey, rxBytes, txBytes, lastHandshakeAt, earlier }) => {
      const owner = owners.get(`${interfaceId} ${publicKey}`);
      if (owner === undefined) return [];
      const isMoving = owner.place_of === null && owner.moves_until !== null;
      const reading: Reading = { ...creditedTo(owner), life, publicKey, rxBytes, txBytes, lastHandshakeAt };
      return [{ reading, earlier, isMoving }];
    });
  };

  const read = (server: ServerRow): Promise<void> => {
    const host = servers.hostOf(server);
    if (host === null) return Promise.resolve();
    const running = underWay.get(server.id);
    if (running !== undefined) return running;
    const limited = async () => {
      try {
        await inTurnOn(server, host, readNow);
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        log.debug({ server: server.id, reason: error.message }, "counters could not be read");
      } finally {
        underWay.delete(server.id);
      }
    };
    const reading = unlessFull(limited(), undefined);
    underWay.set(server.id, reading);
    return reading;
  };

  const isRead = (serverId: string, freshMs = FRESH_MS) =>
    Math.abs(clock.now().getTime() - (readAt.get(serverId) ?? 0)) < freshMs;

  return {
    readNow,
    /** Whether the last reading is new enough for a viewer. */
    isRead: (serverId: string): boolean => isRead(serverId),
    /** How many peers carry packets on a server's machine; null if this panel has not read it recently. */
    peersSeen(serverId: string): number | null {
      const found = lastSeen.get(serverId);
      return found === undefined || clock.now().getTime() - found.at > SEEN_FOR_MS ? null : found.carrying;
    },
    /** A peer of an interface as this panel last read it; undefined if it has not, or if the reading cannot be true. */
    peerSeen(serverId: string, interfaceId: string, publicKey: string): Seen | undefined {
      const seen = lastSeen.get(serverId)?.peers.get(interfaceId)?.get(publicKey);
      if (seen === undefined || !isCounted(seen)) return undefined;
      const now = clock.now().getTime();
      return { ...seen, lastHandshakeAt: laterHandshake(null, seen.lastHandshakeAt, { now, isUsed: false }) };
    },
    /**
     * Reads the server's counters if this panel works on it and the last reading is too old for a viewer. Nobody waits longer than a
     * second: then the known values are shown while the reading continues. If viewers have caused many readings, there is none.
     */
    async readStats(serverId: string, freshMs = FRESH_MS): Promise<void> {
      if (!heldLeases.holds(laneNameOf(serverId))) return;
      if (isRead(serverId, freshMs)) return;
      const server = await servers.find(db, serverId);
      if (server === undefined || server.unreachable_since !== null) return;
      if (!underWay.has(serverId) && !forViewers.take()) return;
      let timeout: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, READING_WAIT_MS);
      });
      await Promise.race([outsideRequests(() => read(server)), late]);
      clearTimeout(timeout);
    },
    /** Null if this panel has not read the server twice recently. */
    speedOf(serverId: string, configId: string): SpeedAnswer | null {
      const found = speeds.get(serverId);
      if (found === undefined || clock.now().getTime() - found.at > SPEED_FOR_MS) return null;
      return found.ofConfigs.get(configId) ?? AT_REST;
    },
    /** Of this panel's own machine. */
    async readOwn(): Promise<void> {
      await Promise.all((await servers.all(db)).filter(({ driver }) => driver !== "ssh").map(read));
    },
    async readAll(): Promise<void> {
      await Promise.all((await servers.all(db)).map(read));
    },
  };
}
