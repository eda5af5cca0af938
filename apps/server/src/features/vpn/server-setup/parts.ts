import type { Remotes } from "../../../hosts/remote.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Servers } from "../servers/index.ts";

export interface SetupParts extends Platform {
  audit: Audit;
  remotes: Remotes;
  servers: Servers;
  interfaces: Interfaces;
}
