import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import type { Language } from "@krug/contract/refusals";
import type { DrainPlanAnswer } from "@krug/contract/vpn/drain";
import type { StaffAction } from "@krug/domain/staff-actions";
import type { Db } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Jobs } from "../../../platform/jobs.ts";
import type { TwoFactor } from "../../access/two-factor/index.ts";
import type { Rights } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { Payments } from "../../money/payments/index.ts";
import type { Drains } from "../../vpn/drain/index.ts";
import type { ServerRow, Servers } from "../../vpn/servers/index.ts";
import type { Support } from "../support/index.ts";
import type { Keyboard } from "./conversation.ts";
import type { BotParts } from "./parts.ts";
import type { Pending } from "./staff-table.ts";
import type { StaffWords } from "./staff-words.ts";

/** What staff do by the bot goes through the same functions as on the page. */
export interface StaffParts extends BotParts {
  jobs: Jobs;
  twoFactor: Pick<TwoFactor, "withCode">;
  rights: Pick<Rights, "switchedOn">;
  payments: Pick<Payments, "claims" | "claimsWaiting">;
  servers: Pick<Servers, "find">;
  /** As 'Refresh' on the page. @throws Refusal */
  machines: { refresh(server: ServerRow): Promise<void> };
  drains: Pick<Drains, "begin">;
  drainPlans: { ofServer(id: string): Promise<DrainPlanAnswer> };
  /** Whom a notice names; null if its reader may no longer see it. Of a feature above this one, as the next. */
  aboutOf(over: Db, reader: Pick<MemberRow, "id" | "role">, noticeId: string): Promise<string | null>;
  support: Pick<Support, "write">;
  /** A notice as its reader may still see it. */
  noticeOf(over: Db, reader: Pick<MemberRow, "id" | "role">, onceKey: string): Promise<NoticeAnswer | null>;
}

/** A staff member who may act here now. */
export interface Staff {
  actor: Actor;
  member: MemberRow;
  language: Language;
  say: StaffWords;
}

export interface Said {
  text: string;
  keyboard?: Keyboard;
  /** The pressed message says it itself. */
  inPlace?: true;
}

/** What a button or a command does; `argument`: what follows its name. Null: it has answered by itself. */
export interface Act {
  needs: StaffAction;
  /** Takes a two-factor code each time. */
  hasOwnCode?: true;
  run(staff: Staff, argument: string, with_: ActContext): Promise<Said | null>;
}

export interface ActContext {
  /** The next message answers this. */
  ask(pending: Pending): Promise<void>;
  /** A picture that came with the message, as a data URL. @throws Refusal */
  fetchPicture(fileId: string, number: number): Promise<string>;
  /** Sends a picture to this chat. */
  sendPicture(bytes: Uint8Array, media: string): Promise<void>;
  /** What came by message and not by a button. */
  message: { text: string; pictures: readonly string[] } | null;
}
