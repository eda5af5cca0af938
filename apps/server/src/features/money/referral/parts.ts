import type { Platform } from "../../../platform/platform.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";

export interface ReferralParts extends Platform {
  settings: Settings;
  members: Members;
}
