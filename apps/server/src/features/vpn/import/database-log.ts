const HEADER = 32;
const FRAME_HEADER = 24;
/** More than any of these programs keeps; what says that it is larger is left alone. */
const MOST_BYTES = 64 * 2 ** 20;
/** Its last bit says in which order the checksums read bytes. */
const MAGIC = 0x377f0682;

/**
 * A copied SQLite database together with its write-ahead log, in which a program that runs keeps its last changes (SQLite's file
 * format, section 4). What a copy caught half-written is left out, as SQLite does.
 */
export function withLog(database: Buffer, log: Buffer): Buffer {
  if (log.length < HEADER || (log.readUInt32BE(0) | 1) >>> 0 !== (MAGIC | 1)) return database;
  const isBig = (log.readUInt32BE(0) & 1) === 1;
  const pageSize = log.readUInt32BE(8);
  // Bytes 16 to 24 differ for each life of the log: older frames stay behind newer ones.
  const salts = log.subarray(16, 24);
  let sums = checksum(log.subarray(0, 24), [0, 0], isBig);
  if (!isSum(sums, log, 24) || pageSize === 0) return database;
  const pending = new Map<number, Buffer>();
  const committed = new Map<number, Buffer>();
  let size: number | null = null;
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    const page = log.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize);
    sums = checksum(page, checksum(log.subarray(at, at + 8), sums, isBig), isBig);
    if (!salts.equals(log.subarray(at + 8, at + 16)) || !isSum(sums, log, at + 16)) break;
    pending.set(log.readUInt32BE(at), page);
    const pages = log.readUInt32BE(at + 4);
    // Not a transaction's last frame.
    if (pages === 0) continue;
    if (pages * pageSize > MOST_BYTES) break;
    for (const [number, content] of pending) committed.set(number, content);
    pending.clear();
    size = pages;
  }
  if (size === null) return database;
  const whole = Buffer.alloc(size * pageSize);
  database.copy(whole);
  for (const [number, content] of committed) if (number <= size) content.copy(whole, (number - 1) * pageSize);
  return whole;
}

type Sums = readonly [number, number];

const isSum = ([first, second]: Sums, log: Buffer, at: number) =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

function checksum(bytes: Buffer, [first, second]: Sums, isBig: boolean): Sums {
  let [one, other] = [first, second];
  const word = (at: number) => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + word(at) + other) >>> 0;
    other = (other + word(at + 4) + one) >>> 0;
  }
  return [one, other];
}
