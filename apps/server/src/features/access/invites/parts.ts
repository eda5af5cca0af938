import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Templates } from "../../members/templates/index.ts";
import type { Interfaces } from "../../vpn/interfaces/index.ts";
import type { Auth } from "../auth/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";

export interface InviteParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  sealing: Sealing;
  events: Events;
  settings: Settings;
  audit: Audit;
  members: Members;
  auth: Auth;
  interfaces: Interfaces;
  templates: Templates;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  log: Log;
}
