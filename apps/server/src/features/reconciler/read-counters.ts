import type { SpeedAnswer } from "@krug/contract/configs";
import type { ActualInterface, ActualPeer } from "@krug/wireguard/interface";
import { HostFailure } from "../../hosts/host.ts";
import { unlessFull } from "../../platform/database/trouble.ts";
import type { ServerRow } from "../servers/index.ts";
import type { Reading } from "../traffic/index.ts";
import type { ReconcilerParts } from "./parts.ts";
import type { InTurnOn, Turn } from "./turn.ts";

/** Someone who asks gets a reading at most this old, unless an older one will do. */
const FRESH_MS = 2_000;
const READING_WAIT_MS = 1_000;
/** A speed is between two readings no nearer than this, and is told until the next one is overdue. */
const SPEED_OVER_MS = 1_000;
const SPEED_FOR_MS = 90_000;
const AT_REST: SpeedAnswer = { received: 0, sent: 0 };

type Seen = Pick<ActualPeer, "rxBytes" | "txBytes" | "lastHandshakeAt">;

const isSame = (a: Seen | undefined, b: Seen) =>
  a === b ||
  (a !== undefined && a.rxBytes === b.rxBytes && a.txBytes === b.txBytes && a.lastHandshakeAt === b.lastHandshakeAt);

/** Reads peers' counters off the machines and brings the totals up to them; one reading at a time for each server. */
export function makeCounterReader(
  { db, clock, log, servers, interfaces, configs, traffic }: ReconcilerParts,
  inTurnOn: InTurnOn,
) {
  const readAt = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();
  // By server: only peers that moved since the last reading cost a query.
  const lastSeen = new Map<string, { at: number; lists: ActualPeer[][]; peers: Map<string, Seen> }>();
  // By server, then by config; of those that moved.
  const speeds = new Map<string, { at: number; ofConfigs: Map<string, SpeedAnswer> }>();

  /** `seen`: a reading of this very moment, if there is one. */
  const readNow = async ({ server, host, lease }: Turn, seen: ActualInterface[] | null = null): Promise<void> => {
    const own = new Set((await interfaces.ofServer(db, server.id)).map((row) => row.public_key));
    const before = lastSeen.get(server.id);
    const lists = (seen ?? (await host.read())).flatMap(({ publicKey, peers }) =>
      publicKey !== null && own.has(publicKey) ? [peers] : [],
    );
    const at = clock.now().getTime();
    readAt.set(server.id, at);
    // The machine said the same, word for word.
    if (lists.length === before?.lists.length && lists.every((list, place) => list === before.lists[place])) {
      lastSeen.set(server.id, { ...before, at });
      if (at - before.at >= SPEED_OVER_MS) speeds.set(server.id, { at, ofConfigs: new Map() });
      return;
    }
    const present = { at, lists, peers: new Map<string, Seen>() };
    const moved = new Map<string, Seen>();
    for (const peer of lists.flat()) {
      present.peers.set(peer.publicKey, peer);
      if (!isSame(before?.peers.get(peer.publicKey), peer)) moved.set(peer.publicKey, peer);
    }
    const overMs = before === undefined ? 0 : at - before.at;
    const speedsNow = new Map<string, SpeedAnswer>();
    if (moved.size === 0) {
      lastSeen.set(server.id, present);
      if (overMs >= SPEED_OVER_MS) speeds.set(server.id, { at, ofConfigs: speedsNow });
      return;
    }
    const ids = await configs.idsByKeys(db, [...moved.keys()]);
    const readings: Reading[] = [...ids].flatMap(([publicKey, configId]) => {
      const peer = moved.get(publicKey);
      if (peer === undefined) return [];
      const { rxBytes, txBytes, lastHandshakeAt } = peer;
      const earlier = before?.peers.get(publicKey);
      if (earlier !== undefined && rxBytes >= earlier.rxBytes && txBytes >= earlier.txBytes)
        speedsNow.set(configId, {
          received: ((txBytes - earlier.txBytes) * 1_000) / overMs,
          sent: ((rxBytes - earlier.rxBytes) * 1_000) / overMs,
        });
      return [{ configId, publicKey, rxBytes, txBytes, lastHandshakeAt }];
    });
    // Counted after a newer reading, an older one would look like counters that began anew.
    if (!(await lease.isOurs())) return;
    await traffic.count(readings);
    lastSeen.set(server.id, present);
    if (overMs >= SPEED_OVER_MS) speeds.set(server.id, { at, ofConfigs: speedsNow });
  };

  const read = (server: ServerRow): Promise<void> => {
    const host = servers.hostOf(server);
    if (host === null) return Promise.resolve();
    const running = underWay.get(server.id);
    if (running !== undefined) return running;
    const inTurn = async () => {
      try {
        await inTurnOn(server, host, readNow);
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        log.debug({ server: server.id, reason: error.reason }, "counters could not be read");
      } finally {
        underWay.delete(server.id);
      }
    };
    const reading = unlessFull(inTurn(), undefined);
    underWay.set(server.id, reading);
    return reading;
  };

  return {
    readNow,
    /**
     * Reads the server's counters if the last reading is too old for someone who watches. Nobody waits longer
     * than a second: then the known values are shown while the reading continues.
     */
    async readStats(serverId: string, freshMs = FRESH_MS): Promise<void> {
      if (Math.abs(clock.now().getTime() - (readAt.get(serverId) ?? 0)) < freshMs) return;
      const server = await servers.find(db, serverId);
      if (server === undefined || server.unreachable_since !== null) return;
      let timeout: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, READING_WAIT_MS);
      });
      await Promise.race([read(server), late]);
      clearTimeout(timeout);
    },
    /** Null where this panel has not read the server twice of late. */
    speedOf(serverId: string, configId: string): SpeedAnswer | null {
      const found = speeds.get(serverId);
      if (found === undefined || clock.now().getTime() - found.at > SPEED_FOR_MS) return null;
      return found.ofConfigs.get(configId) ?? AT_REST;
    },
    async readAll(): Promise<void> {
      await Promise.all((await servers.all(db)).map(read));
    },
  };
}
