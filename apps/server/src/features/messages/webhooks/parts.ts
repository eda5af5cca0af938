import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Internet } from "../../../platform/http/internet.ts";
import type { Leases } from "../../../platform/leases.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Signals } from "../../../platform/signals.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";

export interface WebhookParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  sealing: Sealing;
  events: Events;
  signals: Signals;
  leases: Leases;
  log: Log;
  internet: Internet;
  audit: Audit;
  members: Pick<Members, "byIds">;
}

/** Signals every panel that something waits to be delivered. */
export const WEBHOOKS_WRITTEN = "webhooks";
