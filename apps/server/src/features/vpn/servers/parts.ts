import type { Host } from "../../../hosts/host.ts";
import type { Remotes } from "../../../hosts/remote.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Fencing } from "../../club/fencing/index.ts";
import type { Members } from "../../members/members/index.ts";

/** What a server carries, counted over its interfaces; with or without VIP members' part. */
export interface ServerUse {
  interfaces: number;
  configs: number;
  onWire: number;
  capacity: number;
  /** Downloaded files that name the server's endpoint. */
  toDownload: number;
  /** Devices that moved away and may still use this place. */
  leaving: number;
}

export interface ServerParts extends Platform {
  audit: Audit;
  fencing: Pick<Fencing, "read">;
  panelId: string;
  /** Null with LOCAL_SERVER=off. */
  localHost: Host | null;
  remotes: Remotes;
  names: Names;
}

/** What staff's calls about servers need in addition. */
export interface ServerCallParts extends ServerParts {
  members: Members;
  /** Of a feature above this one. */
  exits: {
    /** What leaves by this server, for people. */
    usersOf(over: Db | Tx, serverId: string): Promise<string[]>;
    /** The servers by which anything leaves. */
    usedAmong(over: Db): Promise<ReadonlySet<string>>;
  };
  usage: {
    /** By server id; absent without interfaces. */
    byServer(over: Db | Tx, withVip: boolean): Promise<Map<string, ServerUse>>;
  };
}
