import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Templates } from "../../members/templates/index.ts";
import type { Auth } from "../auth/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";

export interface InviteParts extends Platform {
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
}
