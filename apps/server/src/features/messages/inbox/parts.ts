import type { DayFigures } from "@krug/domain/notices";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Referral } from "../../money/referral/index.ts";
import type { Catalog } from "../../vpn/catalog/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Live } from "../live/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Support } from "../support/index.ts";

export interface InboxParts extends Platform {
  settings: Settings;
  audit: Audit;
  members: Members;
  catalog: Pick<Catalog, "servicesByIds">;
  configs: Pick<Configs, "byIds">;
  support: Pick<Support, "unseenAnswers">;
  referral: Pick<Referral, "endsAhead">;
  outbox: Pick<Outbox, "put" | "wanting">;
  /** Of a feature above this one: yesterday in numbers. */
  dayFigures(reader: { memberId: string; withVip: boolean }): Promise<DayFigures>;
  live: Pick<Live, "tell" | "isLooking">;
}
