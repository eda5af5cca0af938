import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Db, isPostgres, type Tx } from "./database/database.ts";
import { isTroubled } from "./database/trouble.ts";
import type { Log } from "./log.ts";

type LeaseTables = {
  leases: { name: string; holder: string; expires_at: number; number: number };
};

/** Another panel works on it, or has taken it over during this work. Nothing is wrong with the work itself. */
export class TakenOver extends Error {
  constructor() {
    super("another panel works on it");
  }
}

/** Something only one panel may work on, as long as it renews this. */
export interface HeldLease {
  /** Increases when another panel takes it over. */
  readonly number: number;
  /** False permanently once another panel has taken it over. Queries the database only if a renewal is overdue. */
  isOurs(): Promise<boolean>;
}

/**
 * Leases that a panel keeps: taken once, renewed in the background, and free for others once renewals stop for `LEASE_MS`.
 * Panels' clocks may differ, so the database's clock decides. SQLite has one panel, which holds everything.
 */
export interface HeldLeases {
  /** Names this process among the holders. */
  readonly holder: string;
  /** Null while another panel holds it. */
  hold(name: string): Promise<HeldLease | null>;
  /** Whether this panel has it, as far as it knows; queries nothing. */
  holds(name: string): boolean;
  /** The same as part of a change; false while another panel holds it. */
  take(tx: Tx, name: string): Promise<boolean>;
  /**
   * When another panel's hold expires, ms of the database's clock: grows while that panel is alive. Null if it is free or ours.
   */
  heldElsewhere(name: string): Promise<number | null>;
  /** Gives all of them back, so that the next panel need not wait. */
  release(): Promise<void>;
}

/** Long enough for a slow database, short enough for members to wait for. */
export const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** Shorter than the lease, for clocks that run at different speeds. */
const SURE_MS = LEASE_MS - 1_000;

/** PostgreSQL's clock, ms: leases expire by it. */
export const DATABASE_NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Kept extends HeldLease {
  /** By `performance.now()`: until then nobody else can have taken it. */
  sureUntil: number;
  isLost: boolean;
}

const FOR_GOOD: HeldLease = { number: 0, isOurs: async () => true };

/** In a restored database: the holders work on another database. */
export async function forgetLeases(tx: Tx): Promise<void> {
  await tx.withTables<LeaseTables>().deleteFrom("leases").execute();
}

export function makeHeldLeases({ db, log, panelId }: { db: Db; log: Log; panelId: string }): HeldLeases {
  // Names the process: a restarted panel is not the one that was killed, or that is still finishing.
  const holder = `${panelId} ${randomUUID()}`;
  if (!isPostgres(db))
    return {
      holder,
      hold: async () => FOR_GOOD,
      holds: () => true,
      take: async () => true,
      heldElsewhere: async () => null,
      release: async () => {},
    };
  const tables = (over: Db | Tx) => over.withTables<LeaseTables>();
  const now = DATABASE_NOW;
  const expiry = sql<number>`${now} + ${LEASE_MS}::bigint`;
  const kept = new Map<string, Kept>();
  let isReleased = false;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | null = null;

  const takeOver = (over: Db | Tx, name: string) =>
    tables(over)
      .insertInto("leases")
      .values({ name, holder, expires_at: expiry, number: 1 })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({
            holder,
            expires_at: expiry,
            number: sql`case when leases.holder = ${holder} then leases.number else leases.number + 1 end`,
          })
          .where((e) => e.or([e("leases.holder", "=", holder), e("leases.expires_at", "<=", now)])),
      )
      .returning("number")
      .executeTakeFirst();

  // Expired ones are renewed too: if nobody has taken it, nobody else has worked.
  const renewAll = async () => {
    const sureUntil = performance.now() + SURE_MS;
    const before = [...kept];
    const renewed = await tables(db)
      .updateTable("leases")
      .set({ expires_at: expiry })
      .where("holder", "=", holder)
      .returning(["name", "number"])
      .execute();
    const numbers = new Map(renewed.map(({ name, number }) => [name, number]));
    for (const [name, lease] of before) {
      if (numbers.get(name) === lease.number) lease.sureUntil = sureUntil;
      else {
        lease.isLost = true;
        if (kept.get(name) === lease) kept.delete(name);
        log.warn({ lease: name, number: lease.number }, "another panel has taken over a lease");
      }
    }
  };
  const renew = () => {
    renewing ??= renewAll().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const renewInBackground = () => {
    renew().catch((error: unknown) => {
      if (!isTroubled(error)) log.error({ err: error }, "leases could not be renewed");
    });
  };

  const keep = (name: string, number: number, sureUntil: number): Kept => {
    const lease: Kept = {
      number,
      sureUntil,
      isLost: false,
      async isOurs() {
        while (!lease.isLost && performance.now() >= lease.sureUntil) await renew();
        return !lease.isLost;
      },
    };
    kept.set(name, lease);
    timer ??= setInterval(renewInBackground, RENEW_MS).unref();
    return lease;
  };

  return {
    holder,
    holds: (name) => kept.has(name),
    async hold(name) {
      const known = kept.get(name);
      if (known !== undefined && (await known.isOurs())) return known;
      if (isReleased) return null;
      const sureUntil = performance.now() + SURE_MS;
      const taken = await takeOver(db, name);
      if (taken === undefined || isReleased) return null;
      return kept.get(name) ?? keep(name, taken.number, sureUntil);
    },
    take: async (tx, name) => (await takeOver(tx, name)) !== undefined,
    async heldElsewhere(name) {
      const lease = await tables(db)
        .selectFrom("leases")
        .select("expires_at")
        .where("name", "=", name)
        .where("holder", "<>", holder)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return lease?.expires_at ?? null;
    },
    async release() {
      isReleased = true;
      clearInterval(timer);
      for (const lease of kept.values()) lease.isLost = true;
      kept.clear();
      await renewing;
      await tables(db).updateTable("leases").set({ expires_at: 0 }).where("holder", "=", holder).execute();
    },
  };
}
