import { isoOf } from "@krug/domain/moment";
import type { Told } from "@krug/domain/notices";
import type { Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { maintenanceSwitched } from "../../access/maintenance/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { Tell } from "./tell.ts";

interface ToldEveryone {
  told: Extract<Told, { kind: "maintenance_began" | "maintenance_ended" }>;
  onceKey: string;
  /** Outdated notices, deleted if unread. */
  insteadOf: string | null;
  /** The last member notified; null: none yet. */
  after: string | null;
}

const tellEveryone = jobKind<ToldEveryone>("inbox.tell_everyone");
const AT_ONCE = 500;

/** Notifies every member of maintenance, a few hundred per transaction; a crash between two of them notifies nobody twice. */
export function makeTellEveryone({ transact, clock, events, jobs, members }: InboxParts, tell: Tell) {
  const tellSome = (tx: Tx, { told, onceKey, insteadOf, after }: ToldEveryone) =>
    members.idsAfter(tx, after, AT_ONCE).then(async (ids) => {
      if (insteadOf !== null) await repository.deleteUnread(tx, ids, insteadOf);
      await tell(
        tx,
        ids.map((memberId) => ({ memberId, told, onceKey })),
      );
      const last = ids.at(-1);
      if (last !== undefined && ids.length === AT_ONCE)
        await jobs.enqueue(tx, tellEveryone, { payload: { told, onceKey, insteadOf, after: last } });
    });

  jobs.handle(tellEveryone, async (payloads) => {
    for (const payload of payloads) await transact((tx) => tellSome(tx, payload));
  });

  events.on(maintenanceSwitched, async (tx, { enabled, since }) => {
    if (since === null) return;
    const at = isoOf(since);
    const began = `maintenance:${since}:began`;
    const payload: ToldEveryone = enabled
      ? { told: { kind: "maintenance_began", params: { since: at } }, onceKey: began, insteadOf: null, after: null }
      : {
          told: { kind: "maintenance_ended", params: { since: at, until: clock.now().toISOString() } },
          onceKey: `maintenance:${since}:ended`,
          insteadOf: began,
          after: null,
        };
    await jobs.enqueue(tx, tellEveryone, { payload });
  });
}
