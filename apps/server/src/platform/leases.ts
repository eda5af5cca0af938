import { HONEST_SKEW_MS } from "@krug/domain/moment";
import type { Clock } from "./clock.ts";
import type { Transact } from "./database/database.ts";

type LeaseTables = {
  leases: { name: string; holder: string; expires_at: number };
};

export interface Leases {
  /**
   * Takes or renews the named lease for `forMs`; false while another panel holds it. Scheduled tasks run under one, so two
   * panels on one database never do them twice.
   */
  take(name: string, forMs: number): Promise<boolean>;
  /** Releases it early, so another panel need not wait; does nothing if another panel holds it. */
  release(name: string): Promise<void>;
}

export function makeLeases(transact: Transact, clock: Clock, panelId: string): Leases {
  return {
    take: (name, forMs) =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        const taken = await tx
          .withTables<LeaseTables>()
          .insertInto("leases")
          .values({ name, holder: panelId, expires_at: now + forMs })
          .onConflict((conflict) =>
            conflict
              .column("name")
              .doUpdateSet({ holder: panelId, expires_at: now + forMs })
              .where((e) =>
                e.or([
                  e("leases.holder", "=", panelId),
                  e("leases.expires_at", "<=", now),
                  // Nobody takes a lease for that long: it was taken under a clock that has since been corrected.
                  e("leases.expires_at", ">", now + forMs + HONEST_SKEW_MS),
                ]),
              ),
          )
          .returning("name")
          .execute();
        return taken.length > 0;
      }),
    release: (name) =>
      transact(async (tx) => {
        await tx
          .withTables<LeaseTables>()
          .deleteFrom("leases")
          .where("name", "=", name)
          .where("holder", "=", panelId)
          .execute();
      }),
  };
}
