import type { ConfigAnswer } from "@krug/contract/vpn/configs";
import type { TunnelAnswer } from "@krug/contract/vpn/interfaces";
import type { Platform } from "../../../platform/platform.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { Maintenance } from "../../access/maintenance/index.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { NoticeToSend, Outbox } from "../outbox/index.ts";

export interface TelegramParts extends Platform {
  settings: Settings;
  audit: Audit;
  members: Members;
  maintenance: Maintenance;
  auth: Pick<Auth, "makePasswordLink" | "voidPasswordLinks" | "signInProven" | "endSessions">;
  outbox: Outbox;
  /** The token is a secret: in no log, error or answer. Null: the club has no bot. */
  bot: { token: string | null; apiRoot: string; webhook: boolean };
}

/** A device that may be lost. `seenKey`: the beginning of its current public key. */
export interface LostDevice {
  id: string;
  name: string;
  seenKey: string;
}
export type LostConfirmed =
  /** No report waits: it was confirmed, or is too old. */
  | { is: "over" }
  /** There is nothing to cut; the member's sessions have ended. */
  | { is: "nothing" }
  | { is: "choose"; devices: LostDevice[] }
  | { is: "cut"; device: LostDevice };

/** What the bot shows members about themselves comes from later features. */
export interface BotParts extends TelegramParts {
  /** A member's configs, the oldest first, at most `limit`. */
  configsOf(memberId: string, limit: number): Promise<ConfigAnswer[]>;
  /** The file of a config of the member's own, with its private key. @throws Refusal */
  giveFile(memberId: string, configId: string): Promise<{ name: string; content: string; tunnel: TunnelAnswer }>;
  /** Lost devices: from the bot's notice, or by /lost (the feature lost-devices, which comes later). */
  lostDevices: {
    devicesOf(memberId: string): Promise<LostDevice[]>;
    confirm(memberId: string): Promise<LostConfirmed>;
    decline(memberId: string): Promise<void>;
    /** Answers its name. @throws Refusal */
    cut(memberId: string, id: string, seenKey: string): Promise<string>;
  };
  noticeToSend: NoticeToSend;
}
