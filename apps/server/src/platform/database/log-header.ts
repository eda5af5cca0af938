import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";

/**
 * Tells, by one read of a file, that nobody has committed to an SQLite database since it was asked before. `pragma data_version`
 * compares the same bytes, but takes and returns a lock for it (ADR 222).
 */
export interface LogHeader {
  /** Whether the header is the accepted one. False whenever that is not certain. */
  isSame(): boolean;
  /** What `isSame` last read is compared with from now on: call it once SQLite itself has been asked after that. */
  accept(): void;
  /** How many pages the log has; 0 if that cannot be read. */
  pages(): number;
}

/** Two copies, written one after the other; https://sqlite.org/walformat.html, "The WAL-Index Header". */
const COPY = 48;
/** Of the byte that is 1 once a copy has been filled in. */
const IS_INIT = 12;
const MAX_FRAME = 16;
/** SQLite writes its numbers there as the machine does. */
const isLittle = endianness() === "LE";

/** The header in `file`, an open `-shm`. */
export function logHeaderIn(file: number): LogHeader {
  let read = Buffer.alloc(2 * COPY);
  let accepted = Buffer.alloc(2 * COPY);
  let isAccepted = false;
  let isRead = false;
  return {
    isSame() {
      try {
        isRead = readSync(file, read, 0, 2 * COPY, 0) === 2 * COPY;
      } catch {
        isRead = false;
      }
      return isRead && isAccepted && read.equals(accepted);
    },
    accept() {
      // Copies that differ are being written, or their writer was killed between them.
      isAccepted = isRead && read[IS_INIT] === 1 && read.compare(read, COPY, 2 * COPY, 0, COPY) === 0;
      [read, accepted] = [accepted, read];
    },
    pages() {
      const bytes = Buffer.alloc(4);
      try {
        if (readSync(file, bytes, 0, 4, MAX_FRAME) !== 4) return 0;
      } catch {
        return 0;
      }
      return isLittle ? bytes.readUInt32LE() : bytes.readUInt32BE();
    },
  };
}

/** How many handles this process has on a database, by path, and its `-shm`. */
const handles = new Map<string, { open: number; shm: number | null }>();

/** Counts one more handle on a database. Returns what to call after closing it. */
export function countHandle(path: string): () => void {
  const counted = handles.get(path) ?? { open: 0, shm: null };
  handles.set(path, counted);
  counted.open++;
  return () => {
    counted.open--;
    if (counted.open > 0) return;
    handles.delete(path);
    if (counted.shm !== null) closeSync(counted.shm);
  };
}

/**
 * Of a database that has been read through a counted handle: SQLite keeps its `-shm` as long as one is open. This file is closed
 * after the last of them, because closing it drops all locks that this process has there (POSIX). Null if there is none.
 */
export function openLogHeader(path: string): LogHeader | null {
  const counted = handles.get(path);
  if (counted === undefined) return null;
  const shm = `${path}-shm`;
  try {
    counted.shm ??= openSync(shm, "r");
    // Another database may have been put in the place of one that is still open.
    if (fstatSync(counted.shm).ino !== statSync(shm).ino) return null;
  } catch {
    return null;
  }
  return logHeaderIn(counted.shm);
}
