import { Refusal } from "../refusal.ts";

/** Why the database cannot serve: `away`, no connection or no answer; `full`, no room left to write. Reads go on while it is full. */
export type Trouble = "away" | "full";

const CODES = {
  away: "database.away",
  /** The connection broke while the change was being committed: nobody can say whether it was. */
  uncertain: "database.uncertain",
  full: "database.full",
} as const;

/** What the database's trouble makes of a call. The panel logs once that it began and once that it is over, so nobody else need log it. */
export class DatabaseTrouble extends Refusal {
  readonly kind: keyof typeof CODES;
  constructor(kind: keyof typeof CODES, cause?: unknown) {
    super(CODES[kind], kind === "away" ? { seconds: 2 } : {});
    this.kind = kind;
    this.cause = cause;
  }
}

export const isTroubled = (error: unknown): error is DatabaseTrouble => error instanceof DatabaseTrouble;

/**
 * For what a read writes down beside itself: while the disk is full nothing is noted and the read goes on, with `instead` of
 * what the write would have answered.
 */
export const unlessFull = <Result>(write: Promise<Result>, instead: Result): Promise<Result> =>
  write.catch((error: unknown) => {
    if (isTroubled(error) && error.kind === "full") return instead;
    throw error;
  });

/** The connection, or the way to it. */
const LOST = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  // PostgreSQL, appendix A: connection exceptions, shutdown, start, a session that was ended, and a server that only reads.
  ...["08000", "08001", "08003", "08004", "08006", "57P01", "57P02", "57P03", "57P05", "25P03", "25006"],
]);
/** The driver gives these no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect)/;
/** PostgreSQL: too many connections, out of memory, a lock or an answer that took too long. */
const BUSY = new Set(["53300", "53200", "55P03", "57014"]);
const DISK_FULL = "53100";

/** SQLite's result codes: BUSY, FULL, and the I/O errors of a disk that takes no more (WRITE, SHMSIZE). */
const SQLITE_BUSY = 5;
const SQLITE_FULL = new Set([13, 778, 4874]);

/**
 * The driver's error in the panel's words, with the error itself as the cause; what has nothing to do with the database's
 * state stays as it is.
 */
export function inOurWords(error: unknown): unknown {
  const { code, errcode, message = "" } = error as { code?: string; errcode?: number; message?: string };
  if (errcode !== undefined) {
    if (SQLITE_FULL.has(errcode)) return new DatabaseTrouble("full", error);
    return errcode === SQLITE_BUSY ? busy(error) : error;
  }
  if (code === DISK_FULL) return new DatabaseTrouble("full", error);
  if (BUSY.has(code ?? "")) return busy(error);
  return LOST.has(code ?? "") || LOST_WORDS.test(message) ? new DatabaseTrouble("away", error) : error;
}

const busy = (cause: unknown) => Object.assign(new Refusal("database.busy"), { cause });

/** A write that succeeds this soon after one that did not is luck: there was room for a little one. */
const FULL_FOR_AT_LEAST_MS = 5_000;

/** What is known of the database's trouble, from what becomes of its statements and from who watches its server. */
export function makeStanding() {
  let isAway = false;
  let fullAt: number | null = null;
  let told: Trouble | null = null;
  let tell: (now: Trouble | null) => void = () => {};
  const now = (): Trouble | null => (isAway ? "away" : fullAt !== null ? "full" : null);
  const look = () => {
    if (told === now()) return;
    told = now();
    tell(told);
  };
  return {
    now,
    onChange(listener: typeof tell) {
      tell = listener;
    },
    away(is: boolean) {
      isAway = is;
      look();
    },
    full() {
      fullAt = performance.now();
      look();
    },
    written() {
      if (fullAt === null || performance.now() - fullAt < FULL_FOR_AT_LEAST_MS) return;
      fullAt = null;
      look();
    },
  };
}
