import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Templates } from "../templates/index.ts";
import type { Quotas } from "./quota.ts";
import type { MemberRow } from "./table.ts";

/** What staff's changes need of sign-in, a feature above this one (access/auth). */
export interface SignIn {
  /** The member's row is locked, or written in this transaction. */
  makePasswordLink(
    tx: Tx,
    member: Pick<MemberRow, "id" | "username" | "role" | "pending_role">,
    origin: string,
  ): Promise<{ link: string; expiresAt: string }>;
  /** The same for many, in the same order; valid for `lifeMs`. */
  makePasswordLinks(
    tx: Tx,
    members: readonly Pick<MemberRow, "id" | "username" | "role" | "pending_role">[],
    origin: string,
    lifeMs?: number,
  ): Promise<{ link: string; expiresAt: string }[]>;
  voidPasswordLinks(tx: Tx, memberId: string): Promise<void>;
  endSessions(tx: Tx, memberId: string, how?: { except?: string | undefined }): Promise<number>;
  endSessionsOf(tx: Tx, memberIds: readonly string[], how: { why: "blocked" }): Promise<number>;
  aliveSessions(
    memberId: string,
  ): Promise<readonly { id: string; device: string | null; created_at: number; last_seen_at: number }[]>;
}

export interface MemberUseParts extends Platform {
  settings: Settings;
  audit: Audit;
  auth: SignIn;
  quotas: Quotas;
  templates: Templates;
  /** Of the feature of groups, above this one. */
  groups: {
    move(
      tx: Tx,
      actor: Actor,
      move: { memberIds: readonly string[]; joined?: readonly string[]; left?: readonly string[] },
    ): Promise<void>;
  };
}
