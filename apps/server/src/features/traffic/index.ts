import type { ConfigStatsAnswer } from "@krug/contract/configs";
import type { DayOfTrafficAnswer } from "@krug/contract/traffic";
import { DAY_MS } from "@krug/domain/moment";
import { DAYS_KEPT, HOURS_KEPT_DAYS } from "@krug/domain/traffic-span";
import type { Clock } from "../../platform/clock.ts";
import type { ClubTime } from "../../platform/club-time.ts";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import { groupBy } from "../../platform/group-by.ts";
import { bytesSince, laterHandshake, type Reading } from "./counters.ts";
import { trafficCounted } from "./events.ts";
import * as repository from "./repository.ts";
import { makeTrafficRoutes, toDay } from "./routes.ts";
import * as spans from "./spans.ts";
import type { CounterRow, Used } from "./table.ts";

export type { Reading } from "./counters.ts";
export { trafficCounted } from "./events.ts";
export type { Range } from "./spans.ts";

/** Roll-ups are kept this long (decisions, section 14). */
const HOURS_KEPT_MS = HOURS_KEPT_DAYS * DAY_MS;
const DAYS_KEPT_MS = DAYS_KEPT * DAY_MS;

export type Traffic = ReturnType<typeof makeTraffic>;

/** Counters of devices over their whole life, and what was used by hour and by day. */
export function makeTraffic(parts: { db: Db; transact: Transact; clock: Clock; clubTime: ClubTime; events: Events }) {
  const { db, transact, clock, clubTime, events } = parts;
  return {
    routes: (configsOf: (memberId: string) => Promise<string[]>) => makeTrafficRoutes(parts, configsOf),
    /** Brings totals and roll-ups up to these readings; each config at most once. Nothing is written where nothing changed. */
    async ingest(tx: Tx, readings: readonly Reading[]): Promise<void> {
      const now = clock.now().getTime();
      const known = await repository.lockCounters(
        tx,
        readings.map((reading) => reading.configId),
      );
      const changed: CounterRow[] = [];
      const used: Used[] = [];
      for (const reading of readings) {
        const before = known.get(reading.configId) ?? null;
        const { rx, tx: sent } = bytesSince(
          before && { publicKey: before.public_key, rawRx: before.raw_rx, rawTx: before.raw_tx },
          reading,
        );
        const handshake = laterHandshake(before?.last_handshake_at ?? null, reading.lastHandshakeAt);
        if (
          rx === 0 &&
          sent === 0 &&
          before?.public_key === reading.publicKey &&
          handshake === before.last_handshake_at
        )
          continue;
        changed.push({
          config_id: reading.configId,
          public_key: reading.publicKey,
          raw_rx: reading.rxBytes,
          raw_tx: reading.txBytes,
          total_rx: (before?.total_rx ?? 0) + rx,
          total_tx: (before?.total_tx ?? 0) + sent,
          last_handshake_at: handshake,
        });
        if (rx > 0 || sent > 0)
          used.push({
            config_id: reading.configId,
            rx,
            tx: sent,
            opening_rx: before?.total_rx ?? 0,
            opening_tx: before?.total_tx ?? 0,
          });
      }
      await repository.saveCounters(tx, changed);
      const hour = clubTime.startOfHour(now);
      const day = clubTime.dayOf(now);
      await repository.addToHours(
        tx,
        used.map((row) => ({ ...row, hour })),
      );
      await repository.addToDays(
        tx,
        used.map((row) => ({ ...row, day })),
      );
      if (used.length > 0) {
        await repository.addToClub(tx, { hour }, sumOf(used));
        await repository.addToClub(tx, { day }, sumOf(used));
      }
      const bytes = new Map(used.map((row) => [row.config_id, row.rx + row.tx]));
      await events.record(
        tx,
        trafficCounted,
        changed.map(({ config_id, last_handshake_at }) => ({
          configId: config_id,
          bytes: bytes.get(config_id) ?? 0,
          lastHandshakeAt: last_handshake_at,
        })),
      );
    },
    /** These peers were just put on the wire: their raw counters start from zero, also where the old ones were lower. */
    async startFromZero(tx: Tx, peers: readonly { configId: string; publicKey: string }[]): Promise<void> {
      const known = await repository.lockCounters(
        tx,
        peers.map((peer) => peer.configId),
      );
      const rows = peers.map(({ configId, publicKey }) => {
        const before = known.get(configId);
        return {
          config_id: configId,
          public_key: publicKey,
          raw_rx: 0,
          raw_tx: 0,
          total_rx: before?.total_rx ?? 0,
          total_tx: before?.total_tx ?? 0,
          last_handshake_at: before?.last_handshake_at ?? null,
        };
      });
      await repository.saveCounters(tx, rows);
    },
    /** Stats of each config, as its device sees them (decisions, section 6); a config never seen has none. */
    async statsOf(db: Db | Tx, configIds: readonly string[]): Promise<(configId: string) => ConfigStatsAnswer> {
      const counters = await repository.totalsOf(db, configIds);
      return (configId) => {
        const row = counters.get(configId);
        return {
          lastHandshake: row?.last_handshake_at ?? null,
          dataReceived: row?.total_tx ?? 0,
          dataSent: row?.total_rx ?? 0,
        };
      };
    },
    /** The newest days of these configs, `limit` of all of them together at the most; each config's oldest first. */
    async latestDays(
      over: Db,
      configIds: readonly string[],
      limit: number,
    ): Promise<(configId: string) => DayOfTrafficAnswer[]> {
      const rows = await repository.latestDays(over, configIds, limit);
      const byConfig = groupBy(rows, (row) => row.config_id);
      return (configId) => (byConfig.get(configId) ?? []).map(toDay);
    },
    counters: repository.counters,
    usedIn: spans.usedIn,
    bucketsOf: spans.bucketsOf,
    handshakesSince: repository.handshakesSince,
    /** What each of these configs used from a day on, received and sent together, and its last handshake; those never used are absent. */
    useSince: repository.useSince,
    /** What one config's device received and sent in the hours that begin at `from` (ms) or later. */
    async bytesFrom(configId: string, from: number): Promise<{ received: number; sent: number }> {
      const hours = await repository.hoursFrom(db, configId, from);
      return {
        received: hours.reduce((sum, { tx }) => sum + tx, 0),
        sent: hours.reduce((sum, { rx }) => sum + rx, 0),
      };
    },
    /** Removes roll-ups past their time. */
    forgetOld: () =>
      transact((tx) => {
        const now = clock.now().getTime();
        return repository.forgetBefore(tx, now - HOURS_KEPT_MS, clubTime.dayOf(now - DAYS_KEPT_MS));
      }),
  };
}

const sumOf = (rows: readonly Used[]) => ({
  rx: rows.reduce((sum, { rx }) => sum + rx, 0),
  tx: rows.reduce((sum, { tx }) => sum + tx, 0),
});
