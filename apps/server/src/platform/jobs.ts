import { MINUTE_MS } from "@krug/domain/moment";
import type { Reason } from "@krug/domain/reasons";
import type { Tx } from "./database/database.ts";

export interface JobKind<Payload> {
  readonly name: string;
  /** Whether only the panel that holds the lease named after a job's lane may run it. */
  readonly underLease: boolean;
  /** For the type only. */
  readonly payload?: Payload;
}

export const jobKind = <Payload>(name: string, { underLease = false } = {}): JobKind<Payload> => ({ name, underLease });

/**
 * Runs jobs of one kind and lane. A handler may call `end` to finish them in its own last transaction; otherwise they are
 * finished once it returns.
 */
export type Run<Payload> = (payloads: Payload[], end: (tx: Tx) => Promise<void>) => Promise<void>;

export interface NewJob<Payload> {
  payload: Payload;
  /** Jobs of one lane run one batch after another; lanes run side by side. Defaults to the kind's name. */
  lane?: string;
  /** Only this panel may run it: work on its own machine. Any panel if absent. */
  panelId?: string;
  /** Not before this many ms from now, less than a minute. */
  afterMs?: number;
  /** If one of this kind is due in the lane and not started, returns that one's id instead. */
  unlessWaiting?: boolean;
}

/**
 * The outbox: a job is written in the transaction of the change that needs it and runs afterwards, at least once. Failed
 * jobs are retried after growing waits. Two panels on one database never hold the same job.
 */
export interface Jobs {
  handle<Payload>(kind: JobKind<Payload>, run: Run<Payload>, options?: { maxAttempts?: number }): void;
  /** Returns the job's id, for `settled`. */
  enqueue<Payload>(tx: Tx, kind: JobKind<Payload>, job: NewJob<Payload>): Promise<string>;
  /** The same for several at once that any panel may run. */
  enqueueAll<Payload>(
    tx: Tx,
    kind: JobKind<Payload>,
    jobs: readonly Required<Pick<NewJob<Payload>, "payload" | "lane">>[],
  ): Promise<string[]>;
  /** How many wait and how many fail, for operators. */
  status(): Promise<JobsStatus>;
  /** Deletes jobs given up long ago. */
  forgetOld(): Promise<void>;
  /** Waits until any panel has done these jobs; false if that took longer than `withinMs` or one failed. */
  settled(ids: readonly string[], withinMs: number): Promise<boolean>;
  start(): void;
  /** Stops claiming and waits for running jobs. */
  stop(): Promise<void>;
  /** Runs everything due until nothing is; for tests and the command line. */
  drain(): Promise<void>;
}

export interface JobsStatus {
  /** Not given up; `failing` of them have failed at least once. */
  waiting: number;
  failing: number;
  /** Given up. */
  failed: number;
  /** ms since 1970; null if none is due. */
  oldestDueAt: number | null;
  /** Kinds that fail or were given up, with each one's last error. */
  troubled: { kind: string; count: number; lastError: Reason | null }[];
}

export const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** 1 s, 2 s, 4 s … up to 15 min. */
export const retryWaitMs = (attempts: number) => Math.min(1_000 * 2 ** (attempts - 1), LONGEST_WAIT_MS);
