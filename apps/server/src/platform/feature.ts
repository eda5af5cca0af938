/** Work that the clock brings. */
export interface TimedWork {
  readonly name: string;
  /** Cron, with seconds. */
  readonly at: string;
  /** Of the panels that share the database one does it, and the others not within this many ms; without it each of them does. */
  readonly leaseMs?: number;
  run(): Promise<unknown>;
}

/**
 * What one feature holds about a member, as JSON for their data export: no secret, nobody else's secret either, and a known end
 * to its rows. Times are ISO 8601.
 */
export type DataExport = (memberId: string) => Promise<unknown>;

/** What a feature brings beside its face and its routes; app.ts runs it. (`object`: many a feature brings nothing of it.) */
export type Feature = object & {
  readonly timed?: readonly TimedWork[];
  /** Removes what is past its time; once an hour is often enough. */
  forgetOld?(): Promise<void>;
  /** Its sections of a member's own data, by name. */
  readonly dataExport?: Readonly<Record<string, DataExport>>;
  /** Begins what goes on in the background. */
  start?(): void;
  /** Ends that; nobody waits for it longer than a second. */
  stop?(): Promise<void>;
};
