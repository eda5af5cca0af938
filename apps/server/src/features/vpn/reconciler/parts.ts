import type { HostPort } from "../../../hosts/host.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Fencing } from "../../club/fencing/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { AccessRules } from "../access-rules/index.ts";
import type { Configs } from "../configs/index.ts";
import type { Exits } from "../exits/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Probe } from "../probe/index.ts";
import type { Routing } from "../routing/index.ts";
import type { Servers } from "../servers/index.ts";
import type { Traffic } from "../traffic/index.ts";

export interface ReconcilerParts extends Platform {
  fencing: Pick<Fencing, "isProved" | "noteNewer">;
  members: Members;
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  traffic: Traffic;
  accessRules: AccessRules;
  routing: Routing;
  exits: Pick<Exits, "interfacesOn" | "noteConflicts">;
  probe: Pick<Probe, "peerOf">;
  /** A server's own ports that members reach through the tunnel. */
  openPorts(): HostPort[];
}
