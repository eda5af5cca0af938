import type { Clock } from "../../../platform/clock.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Log } from "../../../platform/log.ts";
import type { Signals } from "../../../platform/signals.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Pictures } from "../../members/pictures/index.ts";
import type { Live } from "../live/index.ts";

export interface SupportParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  audit: Audit;
  members: Members;
  pictures: Pick<Pictures, "sent" | "take">;
  live: Pick<Live, "tell" | "listen">;
  log: Log;
  signals: Signals;
}
