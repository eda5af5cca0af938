import type { Generation, Remembered } from "../../../hosts/host.ts";
import { makeCached } from "../../../platform/cached.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Audit } from "../audit/index.ts";
import type { GenerationRow, GenerationTables } from "./table.ts";
import { isSigned, newToken } from "./token.ts";

export { newToken } from "./token.ts";

/** The panel that has superseded this one. */
export interface Newer {
  /** Since when it is current, ms. */
  since: number;
  /** The server that reported it, and when, ms. */
  server: string;
  seenAt: number;
}

interface Parts extends Platform {
  audit: Pick<Audit, "record">;
}

/** There is one row, which a migration made. */
const find = async (db: Db | Tx): Promise<GenerationRow> => (await onlyRow(db, {}))[0] as GenerationRow;
const onlyRow = prepared((db) => db.withTables<GenerationTables>().selectFrom("generation").selectAll());

const change = (tx: Tx, columns: Partial<Omit<GenerationRow, "one" | "club">>) =>
  tx.withTables<GenerationTables>().updateTable("generation").set(columns).execute();

/** This database's generation, as sent to machines. */
export async function readGeneration(db: Db | Tx): Promise<Generation> {
  const { club, number, token, since } = await find(db);
  return { club, number, token, since };
}

/** Makes this database the club's newest: from now on machines obey its panel and no older one. */
async function raise(tx: Tx, sealing: Pick<Sealing, "hash">, now: number, above: number): Promise<void> {
  const { club } = await find(tx);
  const number = above + 1;
  const nobody = { newer_number: null, newer_since: null, newer_on: null, newer_seen_at: null };
  const token = newToken(sealing, { club, number, since: now });
  await change(tx, { number, token, since: now, ...nobody });
}

/** For a restore: two restores of one backup get the same number, and the first that a machine meets is obeyed. */
export async function raiseForRestore(tx: Tx, sealing: Pick<Sealing, "hash">, now: Date): Promise<void> {
  await raise(tx, sealing, now.getTime(), (await find(tx)).number);
}

/** For the operator of the older panel. */
export const SUPERSEDED =
  "This club was restored elsewhere, and its servers obey that panel. This is the old one: it does nothing more. Stop it, or make it the current one again: krug take-over (docs/operating.md, 'After a restore').";

export type Fencing = ReturnType<typeof makeFencing>;

/** Whether this panel is still the club's current one (docs/adr/0076-a-restored-panel-is-the-current-one.md). */
export function makeFencing({ db, transact, clock, signals, sealing, audit }: Parts) {
  const cached = makeCached(signals, "generation", find);
  const listeners: (() => void)[] = [];
  let isTold = false;

  const newer = async (over: Db | Tx = db): Promise<Newer | null> => {
    const { newer_since, newer_on, newer_seen_at } = await cached.read(over);
    return newer_since === null ? null : { since: newer_since, server: newer_on ?? "", seenAt: newer_seen_at ?? 0 };
  };

  const look = async (): Promise<void> => {
    if (isTold || (await newer()) === null) return;
    isTold = true;
    for (const listener of listeners) listener();
  };

  return {
    read: () => readGeneration(db),
    /** Null while this panel is the current one. */
    newer,
    /** Called once, when this panel or another on its database has learnt that it is no longer current. */
    onNewer: (listener: () => void) => void listeners.push(listener),
    timed: [{ name: "which panel is the current one", at: "*/10 * * * * *", run: look }],
    /**
     * Whether older copies of the club believe what machines report about this panel. A club's first generation supersedes
     * nobody.
     */
    isProvable: async (): Promise<boolean> => {
      const own = await readGeneration(db);
      return own.number === 1 || isSigned(sealing, own);
    },
    /** Whether the club has issued the generation that a machine says it obeys. */
    isProved: async (by: Remembered): Promise<boolean> => {
      const { club } = await cached.read(db);
      return isSigned(sealing, { club, ...by });
    },
    /** A machine obeys a newer panel, as confirmed by `isProved`. */
    async noteNewer(by: Remembered, server: string): Promise<void> {
      await transact(async (tx) => {
        const row = await find(tx);
        // A take-over may have made this panel the newer one meanwhile.
        if (by.number < row.number || (row.newer_number ?? 0) >= by.number) return;
        cached.changed(tx);
        const seen = { newer_on: server, newer_seen_at: clock.now().getTime() };
        await change(tx, { newer_number: by.number, newer_since: by.since, ...seen });
      });
      await look();
    },
    /** Makes this panel the current one at the operator's request, from the command line. */
    async takeOver(): Promise<void> {
      await transact(async (tx) => {
        const { number, newer_number } = await find(tx);
        cached.changed(tx);
        await raise(tx, sealing, clock.now().getTime(), Math.max(number, newer_number ?? 0));
        await audit.record(tx, null, "system.taken_over", {});
      });
    },
  };
}
