import type { HostPort } from "../../../hosts/host.ts";
import type { Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Groups } from "../../members/groups/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Configs } from "../configs/index.ts";
import type { Exits } from "../exits/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Servers } from "../servers/index.ts";
import type { Sources } from "../sources/index.ts";

export interface AccessRuleParts extends Platform {
  names: Names;
  audit: Audit;
  members: Members;
  groups: Pick<Groups, "hold" | "membersOf" | "names">;
  servers: Servers;
  interfaces: Interfaces;
  catalog: Catalog;
  configs: Configs;
  sources: Pick<Sources, "domains">;
  exits: Pick<Exits, "now">;
  /** Each server's own ports that are open to members. */
  openPorts(): HostPort[];
}
