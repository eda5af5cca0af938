import type { Tx } from "../../../platform/database/database.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { addressGroup } from "./address-group.ts";
import { secondsToWait, wrongOf } from "./prove-password.ts";
import * as repository from "./repository.ts";

/** Counts what an address sends without an account, with the waits of wrong passwords. `kind`: what is counted. */
export const makeAddressCounter =
  ({ clock, sealing }: Platform, kind: string) =>
  /**
   * Refuses while the address has to wait. Returns a function that counts this request. Simultaneous requests wait here for one
   * another.
   */
  async (tx: Tx, address: ClientAddress): Promise<() => Promise<void>> => {
    const now = clock.now().getTime();
    const counters = await repository.lockAttempts(tx, [sealing.hash(kind, addressGroup(address))]);
    const seconds = secondsToWait(counters, now);
    if (seconds > 0) refuse("request.too_many", { seconds });
    return async () => {
      for (const row of counters)
        await repository.writeAttempts(tx, {
          subject: row.subject,
          failures: wrongOf(row, now).failures + 1,
          last_failure_at: now,
        });
    };
  };
