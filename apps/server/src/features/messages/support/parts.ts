import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Pictures } from "../../members/pictures/index.ts";
import type { Live } from "../live/index.ts";

export interface SupportParts extends Platform {
  audit: Audit;
  members: Members;
  pictures: Pick<Pictures, "sent" | "take">;
  live: Pick<Live, "tell" | "listen">;
}
