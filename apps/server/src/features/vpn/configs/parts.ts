import type { Db } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { ClubSettings, Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Templates } from "../../members/templates/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Exits } from "../exits/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Traffic } from "../traffic/index.ts";
import type { ConfigRow } from "./table.ts";

/** A changed config and the jobs that bring the change to the wire. */
export interface Changed {
  config: ConfigRow;
  jobIds: string[];
}

export interface ConfigParts extends Platform {
  settings: Settings;
  audit: Audit;
  auth: Pick<Auth, "aliveSessions" | "makeConfigLink" | "voidConfigLinks" | "configLinkEnds" | "openConfigLink">;
  members: Members;
  interfaces: Interfaces;
  catalog: Catalog;
  templates: Pick<Templates, "begunWith">;
  traffic: Traffic;
  exits: Pick<Exits, "now">;
  /** Of a feature above this one: whether a linked account is required. */
  telegram: { isRequired(db: Db, club?: ClubSettings): Promise<boolean> };
}
