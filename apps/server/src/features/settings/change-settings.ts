import type { Transact } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import type { Audit } from "../audit/index.ts";
import type { ClubSettings, Settings } from "./index.ts";

/** Writes what an admin sets, and what it was before into the audit; what is not named stays. */
export const makeChangeSettings =
  ({ transact, settings, audit }: { transact: Transact; settings: Settings; audit: Audit }) =>
  (actor: Actor, action: string, change: Partial<ClubSettings>): Promise<void> =>
    transact(async (tx) => {
      const before = await settings.read(tx);
      await settings.write(tx, change);
      const changed = Object.keys(change) as (keyof ClubSettings)[];
      await audit.record(tx, {
        actorId: actor.memberId,
        action,
        before: Object.fromEntries(changed.map((name) => [name, before[name]])),
        after: change,
      });
    });
