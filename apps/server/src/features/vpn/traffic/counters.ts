import { isAheadOfTime } from "@krug/domain/moment";

/** The interface's counters for a peer. Bytes as the server sees them: rx = from the device. */
export interface Reading {
  /** Whose bytes these are. */
  configId: string;
  /** The place that has the raw counters, if the device is leaving it; they are the config's own otherwise. */
  placeId?: string | null;
  /** Where they were read. Once the device has moved, a reading from elsewhere does not belong to these counters. */
  interfaceId?: string;
  /** Names the life of the raw counters: under another name they started at zero (hosts/host.ts). Null if unknown. */
  life?: string | null;
  publicKey: string;
  rxBytes: number;
  txBytes: number;
  /** ms since 1970, or null. */
  lastHandshakeAt: number | null;
}

/** How much can have passed through a machine since it was last read. */
export interface Line {
  /** Whether this many more bytes fit; if so they are taken. */
  takes(bytes: number): boolean;
}

const isCount = (bytes: number) => Number.isSafeInteger(bytes) && bytes >= 0;

/** Whether these counters can be true and fit into the database. */
export const isCounted = ({ rxBytes, txBytes }: Pick<Reading, "rxBytes" | "txBytes">) =>
  isCount(rxBytes) && isCount(txBytes);

/** Whether a reading can be true: whole numbers, and no more since the last reading than its line carries. */
export function isBelievable(baseline: Baseline | null, reading: Reading, line: Line): boolean {
  if (!isCounted(reading)) return false;
  const { rx, tx } = bytesSince(baseline, reading);
  return line.takes(rx + tx);
}

export interface Baseline {
  publicKey: string;
  life: string | null;
  rawRx: number;
  rawTx: number;
}

/**
 * Bytes since the last reading. A counter of another life or key, or smaller than before, restarted from zero (interface or host
 * restarted, peer re-added), so all of it is new.
 */
export function bytesSince(baseline: Baseline | null, reading: Reading): { rx: number; tx: number } {
  const restarted =
    baseline === null ||
    baseline.publicKey !== reading.publicKey ||
    isOtherLife(baseline.life, reading.life ?? null) ||
    reading.rxBytes < baseline.rawRx ||
    reading.txBytes < baseline.rawTx;
  if (restarted) return { rx: reading.rxBytes, tx: reading.txBytes };
  return { rx: reading.rxBytes - baseline.rawRx, tx: reading.txBytes - baseline.rawTx };
}

const isOtherLife = (a: string | null, b: string | null) => a !== null && b !== null && a !== b;

/**
 * The later of two handshakes: after a restart an interface has none, and the last known one must stay. One in the future gives
 * way to any other. `isUsed`: bytes passed since the last reading, so the device is online whatever its server's clock says.
 */
export function laterHandshake(
  known: number | null,
  read: number | null,
  { now, isUsed }: { now: number; isUsed: boolean },
): number | null {
  const isHonest = (at: number | null): at is number => at !== null && !isAheadOfTime(at, now);
  const moments = [known, isUsed && read !== null ? Math.min(read, now) : read].filter(isHonest);
  return moments.length === 0 ? known : Math.max(...moments);
}
