/** Work on a schedule. */
export interface TimedWork {
  readonly name: string;
  /** Cron, with seconds. */
  readonly at: string;
  /** Of the panels that share the database one runs it, and the others not within this many ms; without it each of them does. */
  readonly leaseMs?: number;
  /** Called instead of `run` while another panel has that lease. */
  elsewhere?(): Promise<void> | void;
  /** It deletes for good what has expired, so it waits while the clock is doubted (forgetting.ts). */
  readonly forgets?: boolean;
  run(): Promise<unknown>;
}

/**
 * What one feature stores about a member, as JSON for their data export: no secrets, not even other people's, and a bounded
 * number of rows. Times are ISO 8601.
 */
export type DataExport = (memberId: string) => Promise<unknown>;

/** What a feature provides besides its face and its routes; app.ts runs it. (`object`: many features provide none of it.) */
export type Feature = object & {
  readonly timed?: readonly TimedWork[];
  /** Deletes what has expired; running it hourly is often enough. */
  forgetOld?(): Promise<void>;
  /** Its sections of a member's own data, by name. */
  readonly dataExport?: Readonly<Record<string, DataExport>>;
  /** Starts its background work. */
  start?(): void;
  /** Stops it; nobody waits longer than a second. */
  stop?(): Promise<void>;
};
