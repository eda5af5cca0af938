import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Pictures } from "../../members/pictures/index.ts";

export interface PaymentParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  events: Events;
  settings: Settings;
  audit: Audit;
  members: Members;
  pictures: Pick<Pictures, "sent" | "take">;
}
