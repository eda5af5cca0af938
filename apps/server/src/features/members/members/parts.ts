import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Templates } from "../templates/index.ts";
import type { Quotas } from "./quota.ts";

export interface MemberUseParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  settings: Settings;
  events: Events;
  audit: Audit;
  auth: Auth;
  quotas: Quotas;
  templates: Templates;
}
