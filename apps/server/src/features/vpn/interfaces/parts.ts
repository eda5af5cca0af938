import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Servers } from "../servers/index.ts";

/** What an interface carries. */
export interface InterfaceUse {
  configs: number;
  /** Peers that its server last confirmed. */
  onWire: number;
  /** Configs whose file was downloaded. */
  delivered: number;
  /** Devices that moved away and may still use this place. */
  leaving: number;
}

export interface InterfaceParts extends Platform {
  audit: Audit;
  members: Members;
  servers: Servers;
  usage: {
    /** By interface id, with or without VIP members' part; absent if none. */
    byInterface(over: Db | Tx, withVip: boolean): Promise<Map<string, InterfaceUse>>;
    /** How many addresses are taken, also by just deleted configs. */
    addressesOn(tx: Tx, interfaceId: string): Promise<number>;
  };
}
