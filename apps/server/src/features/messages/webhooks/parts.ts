import type { Internet } from "../../../platform/http/internet.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";

export interface WebhookParts extends Platform {
  internet: Internet;
  audit: Audit;
  members: Pick<Members, "byIds">;
}

/** Signals every panel that something waits to be delivered. */
export const WEBHOOKS_WRITTEN = "webhooks";
