import type { ConfigStatsAnswer } from "@krug/contract/vpn/configs";
import type { DayOfTrafficAnswer } from "@krug/contract/vpn/traffic";
import { DAY_MS } from "@krug/domain/moment";
import { DAYS_KEPT, HOURS_KEPT_DAYS } from "@krug/domain/traffic-span";
import { slices } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { makeLasting } from "../../../platform/lasting.ts";
import type { Platform } from "../../../platform/platform.ts";
import { bringBack, isAhead, stepsAt } from "./ahead.ts";
import {
  type Baseline,
  bytesSince,
  isBelievable,
  isCounted,
  type Line,
  laterHandshake,
  type Reading,
} from "./counters.ts";
import { type Counted, devicesConnected, trafficBroughtBack, trafficCounted, trafficForgotten } from "./events.ts";
import * as repository from "./repository.ts";
import * as spans from "./spans.ts";
import type { CounterRow, Used } from "./table.ts";
import { toDay } from "./to-day.ts";

export { isCounted, type Line, laterHandshake, type Reading } from "./counters.ts";
export { type Counted, devicesConnected, trafficBroughtBack, trafficCounted, trafficForgotten } from "./events.ts";
export type { Range } from "./spans.ts";

/** How long roll-ups are stored (decisions, section 14). */
const HOURS_KEPT_MS = HOURS_KEPT_DAYS * DAY_MS;

/** Readings counted in one transaction: about 10 ms on a small machine. */
const AT_ONCE = 100;

type Started = Pick<Reading, "configId" | "placeId" | "interfaceId" | "publicKey">;
const placeOf = ({ configId, placeId }: Started) => placeId ?? configId;

/** The rows of those that have counted something, reset to zero. */
const startedFromZero = (peers: readonly Started[], known: ReadonlyMap<string, CounterRow>): CounterRow[] =>
  peers.flatMap((peer) => {
    const { interfaceId, publicKey } = peer;
    const before = known.get(placeOf(peer));
    const isSo = before?.public_key === publicKey && before.raw_rx === 0 && before.raw_tx === 0;
    const isElsewhere = interfaceId !== undefined && (before?.interface_id ?? interfaceId) !== interfaceId;
    return isSo || isElsewhere ? [] : [fromZero(placeOf(peer), publicKey, before)];
  });

export type Traffic = ReturnType<typeof makeTraffic>;

/** Counters of devices over their whole life, and usage by hour and by day. */
export function makeTraffic(parts: Platform) {
  const { db, transact, clock, clubTime, events } = parts;
  /**
   * Updates totals and roll-ups with these readings of one machine; each place at most once. Writes nothing if nothing changed.
   * Answers impossible readings, which do not count.
   */
  const ingest = async (tx: Tx, readings: readonly Reading[], line: Line): Promise<Reading[]> => {
    const refused: Reading[] = [];
    const now = clock.now().getTime();
    const known = await repository.lockCounters(
      tx,
      readings.flatMap(({ configId, placeId }) => (placeId ? [configId, placeId] : [configId])),
    );
    const rowsNow = new Map(known);
    const moment = { at: now, hour: clubTime.startOfHour(now), day: clubTime.dayOf(now) };
    const changed = new Set<string>();
    const countedOf = new Map<string, Counted>();
    for (const reading of readings) {
      const { configId, placeId, interfaceId } = reading;
      const raw = rowsNow.get(placeId ?? configId) ?? null;
      if (interfaceId !== undefined && raw !== null && (raw.interface_id ?? interfaceId) !== interfaceId) continue;
      if (!isBelievable(baselineOf(raw), reading, line)) {
        refused.push(reading);
        continue;
      }
      const found = countOne(raw, rowsNow.get(configId) ?? null, reading, moment);
      if (found === null) continue;
      for (const row of found.rows) {
        rowsNow.set(row.config_id, row);
        changed.add(row.config_id);
      }
      countedOf.set(configId, together(countedOf.get(configId), found.counted));
    }
    await repository.saveCounters(
      tx,
      [...changed].flatMap((id) => rowsNow.get(id) ?? []),
    );
    const counted = [...countedOf.values()];
    const used = counted.filter(({ rx, tx: sent }) => rx > 0 || sent > 0);
    const rows = used.map(({ configId, rx, tx: sent, hour, day }) => ({
      hour: hour.at,
      day: day.at,
      used: {
        config_id: configId,
        rx,
        tx: sent,
        opening_rx: known.get(configId)?.total_rx ?? 0,
        opening_tx: known.get(configId)?.total_tx ?? 0,
      },
    }));
    await repository.addToHours(
      tx,
      rows.map((row) => ({ hour: row.hour, ...row.used })),
    );
    await repository.addToDays(
      tx,
      rows.map((row) => ({ day: row.day, ...row.used })),
    );
    for (const [hour, some] of groupBy(rows, (row) => row.hour)) await repository.addToClub(tx, { hour }, sumOf(some));
    for (const [day, some] of groupBy(rows, (row) => row.day)) await repository.addToClub(tx, { day }, sumOf(some));
    await events.record(tx, trafficCounted, counted);
    const first = counted.filter(
      ({ configId, lastHandshakeAt }) => lastHandshakeAt !== null && known.get(configId)?.last_handshake_at == null,
    );
    if (first.length > 0)
      await events.record(
        tx,
        devicesConnected,
        first.map(({ configId }) => configId),
      );
    return refused;
  };

  const lasts = makeLasting(clock);
  /** One reading under a clock that was ahead would keep later ones in its hour and day until the clock catches up. */
  const bringBackAhead = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (!lasts(await isAhead(db, clubTime, now))) return;
    await transact(async (tx) => {
      await events.record(tx, trafficBroughtBack, await bringBack(tx, clubTime, now));
    });
  };

  return {
    ingest,
    bringBackAhead,
    timed: [{ name: "traffic ahead of time", at: "50 4-59/10 * * * *", run: bringBackAhead }],
    /**
     * The same for many, a few in each transaction, so that nobody waits long for the database. If one fails, the next reading
     * counts its bytes. Answers impossible readings.
     */
    async count(readings: readonly Reading[], line: Line): Promise<ReadonlySet<Reading>> {
      const refused = new Set<Reading>();
      for await (const some of slices(readings, AT_ONCE))
        for (const reading of await transact((tx) => ingest(tx, some, line))) refused.add(reading);
      return refused;
    },
    /** Counts nothing of this config until the transaction ends. */
    hold: async (tx: Tx, configId: string): Promise<void> => void (await repository.lockCounters(tx, [configId])),
    stepsOf: spans.stepsOf,
    stepsAt,
    /** The device moves: raw counters of its earlier interface continue at `placeId`, those of the new one start at zero. */
    async move(tx: Tx, configId: string, placeId: string, { from, to }: { from: string; to: string }): Promise<void> {
      const before = (await repository.lockCounters(tx, [configId])).get(configId);
      if (before === undefined) throw new Error(`config ${configId} has no counters`);
      const { public_key, raw_rx, raw_tx, life } = before;
      await repository.insertCounters(tx, {
        ...fromZero(placeId, public_key),
        raw_rx,
        raw_tx,
        life,
        interface_id: from,
      });
      await repository.saveCounters(tx, [{ ...fromZero(configId, public_key, before), interface_id: to }]);
    },
    /**
     * A new config's counters. `standing`: its peer's raw ones, if it is on the wire already; impossible ones are ignored.
     * @throws if it has some
     */
    startNew: (
      tx: Tx,
      configId: string,
      publicKey: string,
      standing?: Pick<Reading, "rxBytes" | "txBytes">,
    ): Promise<void> => repository.insertCounters(tx, newCounter({ configId, publicKey, standing })),
    /** The same for many. */
    startAllNew: (
      tx: Tx,
      all: readonly {
        configId: string;
        publicKey: string;
        standing: Pick<Reading, "rxBytes" | "txBytes"> | undefined;
      }[],
    ): Promise<void> => repository.saveCounters(tx, all.map(newCounter)),
    /** These peers were just put on the wire: their raw counters start from zero, even if the old ones were lower. */
    async startFromZero(tx: Tx, peers: readonly Started[]): Promise<void> {
      const known = await repository.lockCounters(tx, peers.map(placeOf));
      await repository.saveCounters(tx, startedFromZero(peers, known));
    },
    /** Whether `startFromZero` would write nothing, as for new devices. */
    areFromZero: async (over: Db, peers: readonly Started[]): Promise<boolean> =>
      startedFromZero(peers, await repository.countersOf(over, peers.map(placeOf))).length === 0,
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
    /** The newest days of these configs, at most `limit` in total; each config's oldest first. */
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
    /**
     * By config: bytes since a day and since a later one, received and sent together, and the last handshake; absent if never
     * used.
     */
    useSince: repository.useSince,
    /** What one config's device received and sent in the hours that begin at `from` (ms) or later. */
    async bytesFrom(configId: string, from: number): Promise<{ received: number; sent: number }> {
      const hours = await repository.hoursFrom(db, configId, from);
      return {
        received: hours.reduce((sum, { tx }) => sum + tx, 0),
        sent: hours.reduce((sum, { rx }) => sum + rx, 0),
      };
    },
    /** Deletes expired roll-ups. */
    forgetOld: () =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        const kept = { hour: now - HOURS_KEPT_MS, day: clubTime.dayOf(now, -DAYS_KEPT) };
        await repository.forgetBefore(tx, kept.hour, kept.day);
        await events.record(tx, trafficForgotten, kept);
      }),
  };
}

/**
 * What a reading adds to a config's counters; null if nothing is new. `raw`: the row with its raw counters, which is another one
 * at a place that the device leaves. If the clock goes back, as when the club moves to another zone, it adds to the last hour and
 * day: a later one's opening totals stay true.
 */
function countOne(
  raw: CounterRow | null,
  before: CounterRow | null,
  reading: Reading,
  now: { at: number; hour: number; day: string },
): { rows: CounterRow[]; counted: Counted } | null {
  const life = reading.life ?? null;
  const { rx, tx } = bytesSince(baselineOf(raw), reading);
  const isUsed = rx > 0 || tx > 0;
  const known = before?.last_handshake_at ?? null;
  const lastHandshakeAt = laterHandshake(known, reading.lastHandshakeAt, { now: now.at, isUsed });
  // Once the bytes' life is known it is recorded, even without use: the machine may restart before the next reading.
  const isLifeFirst = raw?.life === null && life !== null && (reading.rxBytes > 0 || reading.txBytes > 0);
  if (!isUsed && !isLifeFirst && raw?.public_key === reading.publicKey && lastHandshakeAt === known) return null;
  const last = { hour: before?.used_hour ?? 0, day: before?.used_day ?? "" };
  const hour = { at: Math.max(now.hour, last.hour), before: last.hour };
  const day = { at: [now.day, last.day].toSorted()[1] ?? now.day, before: last.day };
  const read = { public_key: reading.publicKey, raw_rx: reading.rxBytes, raw_tx: reading.txBytes, life };
  const row = {
    ...(before ?? fromZero(reading.configId, reading.publicKey)),
    total_rx: (before?.total_rx ?? 0) + rx,
    total_tx: (before?.total_tx ?? 0) + tx,
    last_handshake_at: lastHandshakeAt,
    used_hour: isUsed ? hour.at : last.hour,
    used_day: isUsed ? day.at : last.day,
  };
  return {
    rows: reading.placeId
      ? [row, { ...(raw ?? fromZero(reading.placeId, reading.publicKey)), ...read }]
      : [{ ...row, ...read }],
    counted: { configId: reading.configId, rx, tx, lastHandshakeAt, hour, day },
  };
}

const baselineOf = (raw: CounterRow | null): Baseline | null =>
  raw && { publicKey: raw.public_key, life: raw.life, rawRx: raw.raw_rx, rawTx: raw.raw_tx };

const fromZero = (configId: string, publicKey: string, before?: CounterRow): CounterRow => ({
  config_id: configId,
  public_key: publicKey,
  raw_rx: 0,
  raw_tx: 0,
  total_rx: before?.total_rx ?? 0,
  total_tx: before?.total_tx ?? 0,
  last_handshake_at: before?.last_handshake_at ?? null,
  used_hour: before?.used_hour ?? 0,
  used_day: before?.used_day ?? "",
  interface_id: before?.interface_id ?? null,
  life: null,
});

/** Adds two places of one device in one count. */
const together = (before: Counted | undefined, { rx, tx, lastHandshakeAt, ...when }: Counted): Counted =>
  before === undefined
    ? { rx, tx, lastHandshakeAt, ...when }
    : { ...before, rx: before.rx + rx, tx: before.tx + tx, lastHandshakeAt };

const sumOf = (rows: readonly { used: Used }[]) => ({
  rx: rows.reduce((sum, { used }) => sum + used.rx, 0),
  tx: rows.reduce((sum, { used }) => sum + used.tx, 0),
});

const newCounter = ({
  configId,
  publicKey,
  standing,
}: {
  configId: string;
  publicKey: string;
  standing: Pick<Reading, "rxBytes" | "txBytes"> | undefined;
}) => ({
  ...fromZero(configId, publicKey),
  ...(standing && isCounted(standing) && { raw_rx: standing.rxBytes, raw_tx: standing.txBytes }),
});
