import { DELIVERIES_KEPT_MS, MOST_DELIVERIES_KEPT } from "@krug/domain/webhook-rules";
import { letOthersIn } from "../../../platform/database/chunks.ts";
import type { Db } from "../../../platform/database/database.ts";
import { makeWebhookChanges } from "./changes.ts";
import type { WebhookParts } from "./parts.ts";
import { makePut } from "./put.ts";
import * as repository from "./repository.ts";
import { urlOf } from "./sealed.ts";
import { makeWebhookSender } from "./sender.ts";
import { subscribeToEvents } from "./subscribe-to-events.ts";
import type { WebhookRow } from "./table.ts";

export { webhookSwitchedOff } from "./events.ts";
export { switchOffRestored } from "./repository.ts";
export { sealedInWebhooks } from "./sealed.ts";

export type Webhooks = ReturnType<typeof makeWebhooks>;

/** Rows deleted in one transaction. */
const FORGOTTEN_AT_ONCE = 1_000;

/** Signed requests that notify other programs of events (ADR 77). */
export function makeWebhooks(parts: WebhookParts) {
  const { db, transact, clock, sealing } = parts;
  const put = makePut(parts);
  subscribeToEvents(parts, put);
  const nameOf = (row: WebhookRow) => row.description || urlOf(sealing, row).host;

  return {
    ...makeWebhookSender(parts),
    changes: makeWebhookChanges(parts, put),
    /** For the audit log. */
    names: async (over: Db): Promise<{ id: string; name: string }[]> =>
      (await repository.all(over)).map((row) => ({ id: row.id, name: nameOf(row) })),
    /** Deliveries of all webhooks that wait, and those in the log that were given up. */
    async backlog(over: Db): Promise<repository.Counts> {
      const counts = [...(await repository.counts(over)).values()];
      const sum = (of: keyof repository.Counts) => counts.reduce((all, count) => all + count[of], 0);
      return { waiting: sum("waiting"), failed: sum("failed") };
    },
    /** Those that the panel itself has switched off. */
    off: async (over: Db): Promise<string[]> =>
      (await repository.all(over)).flatMap(({ id, off_because }) => (off_because === null ? [] : [id])),
    /** For monitoring. `failingSince`, ms: null if the last try arrived, none was made, or the webhook is off. */
    states: async (over: Db): Promise<{ id: string; name: string; failingSince: number | null; isOff: boolean }[]> =>
      (await repository.all(over)).map((row) => ({
        id: row.id,
        name: nameOf(row),
        failingSince: row.is_enabled === 1 ? row.failing_since : null,
        isOff: row.off_because !== null,
      })),

    async forgetOld(): Promise<void> {
      const now = clock.now().getTime();
      await transact(async (tx) => {
        await repository.forgetFormerSecrets(tx, now);
        await repository.forgetArrivedNames(tx);
      });
      const untilFewer = async (forget: () => Promise<number>) => {
        while ((await forget()) === FORGOTTEN_AT_ONCE) await letOthersIn();
      };
      const before = now - DELIVERIES_KEPT_MS;
      await untilFewer(() => transact((tx) => repository.deleteEventsBefore(tx, before, FORGOTTEN_AT_ONCE)));
      for (const { id } of await repository.all(db))
        await untilFewer(() =>
          transact((tx) => repository.deleteBeyond(tx, id, MOST_DELIVERIES_KEPT, FORGOTTEN_AT_ONCE)),
        );
    },
  };
}
