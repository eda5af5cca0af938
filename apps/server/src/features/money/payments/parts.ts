import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Pictures } from "../../members/pictures/index.ts";

export interface PaymentParts extends Platform {
  settings: Settings;
  audit: Audit;
  members: Members;
  pictures: Pick<Pictures, "sent" | "take">;
}
