import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Transact, Tx } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Templates } from "../../members/templates/index.ts";
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
  /** Of a feature above this one. */
  interfaces: {
    exist(db: Db | Tx, ids: readonly string[]): Promise<boolean>;
    assign(tx: Tx, memberId: string, ids: readonly string[]): Promise<unknown>;
    copyAssignments(tx: Tx, fromMemberId: string, toMemberId: string): Promise<void>;
  };
  templates: Templates;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  log: Log;
}
