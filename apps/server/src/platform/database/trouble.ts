import { SQLITE_FULL } from "../file-trouble.ts";
import { Refusal } from "../refusal.ts";

/**
 * Why the database cannot serve: `away`, no connection or no answer; `full`, no disk space left. Reads still work while it is
 * full.
 */
export type Trouble = "away" | "full";

const CODES = {
  away: "database.away",
  /** The connection broke during a commit: whether it happened is unknown. */
  uncertain: "database.uncertain",
  full: "database.full",
} as const;

/** How database trouble fails a call. The panel logs its start and its end once, so nobody else needs to log it. */
export class DatabaseTrouble extends Refusal {
  readonly kind: keyof typeof CODES;
  constructor(kind: keyof typeof CODES, cause?: unknown) {
    super(CODES[kind], kind === "away" ? { seconds: 2 } : {});
    this.kind = kind;
    this.cause = cause;
  }
}

export const isTroubled = (error: unknown): error is DatabaseTrouble => error instanceof DatabaseTrouble;

/** The read's result, or `instead` while the database is in trouble. */
export const unlessTroubled = <Result>(read: Promise<Result>, instead: Result): Promise<Result> =>
  read.catch((error: unknown) => {
    if (isTroubled(error)) return instead;
    throw error;
  });

/**
 * For notes that a read writes on the side: while the disk is full, skips the note and lets the read continue with `instead` as
 * the write's result.
 */
export const unlessFull = <Result>(write: Promise<Result>, instead: Result): Promise<Result> =>
  write.catch((error: unknown) => {
    if (isTroubled(error) && error.kind === "full") return instead;
    throw error;
  });

/** The connection, or the network path to it. */
const LOST = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  // PostgreSQL, appendix A: connection exceptions, shutdown, startup, a terminated session, and a read-only server.
  ...["08000", "08001", "08003", "08004", "08006", "57P01", "57P02", "57P03", "57P05", "25P03", "25006"],
]);
/** The driver gives these errors no code. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;
/** All were in use, or a new one did not open in time: the pool and the client word the latter differently. */
const POOL_TIMEOUT =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)/;
/** PostgreSQL: too many connections, out of memory, a lock or an answer that took too long. */
const BUSY = new Set(["53300", "53200", "55P03", "57014"]);
const DISK_FULL = "53100";

const SQLITE_BUSY = 5;
/** While rows are read the driver may give the first of these no code. */
const SQLITE_FULL_WORDS = "database or disk is full";

/**
 * The driver's error translated to the panel's, with the original as its cause. Errors unrelated to the database's state are
 * returned unchanged.
 */
export function inOurWords(error: unknown): unknown {
  const { code, errcode, message = "" } = error as { code?: string; errcode?: number; message?: string };
  if (message === SQLITE_FULL_WORDS) return new DatabaseTrouble("full", error);
  if (errcode !== undefined) {
    if (SQLITE_FULL.has(errcode)) return new DatabaseTrouble("full", error);
    return errcode === SQLITE_BUSY ? busy(error) : error;
  }
  if (code === DISK_FULL) return new DatabaseTrouble("full", error);
  if (BUSY.has(code ?? "")) return busy(error);
  return LOST.has(code ?? "") || LOST_WORDS.test(message) || POOL_TIMEOUT.test(message)
    ? new DatabaseTrouble("away", error)
    : error;
}

export const busy = (cause: unknown) => Object.assign(new Refusal("database.busy"), { cause });

/** No connection came in time: none could be opened, or all were in use. Only the server's watcher can tell which. */
export const isPoolTimeout = (error: unknown): boolean => error instanceof Error && POOL_TIMEOUT.test(error.message);

/** A write that succeeds this soon after a failed one is luck: there was space for a small one. */
const FULL_FOR_AT_LEAST_MS = 5_000;

/** Tracks the database's trouble, from the outcome of its statements and from the server's watcher. */
export function makeTroubleTracker() {
  let isAway = false;
  let fullAt: number | null = null;
  let told: Trouble | null = null;
  let tell: ((now: Trouble | null) => void) | null = null;
  const now = (): Trouble | null => (isAway ? "away" : fullAt !== null ? "full" : null);
  const look = () => {
    if (told === now()) return;
    told = now();
    tell?.(told);
  };
  return {
    now,
    watch(listener: (now: Trouble | null) => void) {
      tell = listener;
    },
    /** A watcher reports when the server goes away, so waiting for a connection is no sign of it. */
    isWatched: () => tell !== null,
    away(is: boolean) {
      isAway = is;
      look();
    },
    /** A statement failed. Returns the error translated to ours. */
    failed(error: unknown): unknown {
      const ours = inOurWords(error);
      if (isTroubled(ours) && ours.kind === "full") {
        fullAt = performance.now();
        look();
      }
      return ours;
    },
    written() {
      if (fullAt === null || performance.now() - fullAt < FULL_FOR_AT_LEAST_MS) return;
      fullAt = null;
      look();
    },
  };
}
