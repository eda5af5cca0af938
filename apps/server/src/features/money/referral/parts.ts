import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Jobs } from "../../../platform/jobs.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";

export interface ReferralParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  events: Events;
  jobs: Jobs;
  settings: Settings;
  members: Members;
}
