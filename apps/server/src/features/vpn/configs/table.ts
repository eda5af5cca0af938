import type { DeviceType } from "@krug/domain/config-rules";
import type { GeneratedAlways } from "kysely";

export type ConfigTables = {
  configs: {
    id: string;
    member_id: string;
    name: string;
    /** Lower case: names are unique per member without regard to it. */
    name_key: string;
    device_type: DeviceType;
    interface_id: string;
    dns_id: string;
    /** Bare address in the tunnel; empty once a deleted config's address was given back. */
    address: string;
    /** The same as a number, made by the database; null if there is no address. */
    address_number: GeneratedAlways<number | null>;
    address_v6: string | null;
    public_key: string;
    /** Null if the browser made the key, or it was destroyed with the config. */
    sealed_private_key: string | null;
    sealed_preshared_key: string;
    is_blocked: number;
    /** Whether the server last confirmed this peer on the wire. */
    on_wire: number;
    /** The key of a silenced peer whose last bytes are still to be counted. */
    leaving_key: string | null;
    /** When the file was last given out; null if it never was. */
    delivered_at: number | null;
    /** What it was made from has been edited since. */
    is_stale: number;
    idempotency_key: string | null;
    /** The request that came with the key, so that a different one is not answered with this config. */
    idempotency_body: string | null;
    /** The Idempotency-Key with which its keys were last replaced. */
    key_request: string | null;
    deleted_at: number | null;
    /** Which of the staff made it, with the keys that it has; null: its owner. */
    made_by: string | null;
    /** Who deleted it, if that was not the owner: then the owner cannot restore it. */
    deleted_by: string | null;
    /** The device that moved away from here. Such a row is a config to its server alone (move-config.ts); null: a config. */
    place_of: string | null;
    /** The key at such a place, which is unique as a config's `public_key`. */
    peer_key: string | null;
    /** Until when, ms, a device that moves may still use the place it leaves; on both rows. */
    moves_until: number | null;
    created_at: number;
  };
  /** Addresses that deleted configs gave back: all that are free below the highest that was ever taken. */
  free_addresses: { interface_id: string; address_number: number };
  /** Peers that a restored panel found on the wire and its backup does not know (unknown-peers.ts). */
  unknown_peers: {
    id: string;
    interface_id: string;
    public_key: string;
    sealed_preshared_key: string;
    /** Bare addresses in the tunnel. */
    address: string;
    address_v6: string | null;
    address_number: number;
    found_at: number;
  };
  config_services: { config_id: string; service_id: string; position: number };
  /** Of configs whose keys are destroyed; kept for the history. */
  config_services_past: { config_id: string; service_id: string };
  /** Kept by triggers: how many configs each interface, DNS entry and service has, as the sum over `slot`. */
  config_counts: {
    kind: "interface" | "dns" | "service";
    id: string;
    slot: number;
    configs: number;
    on_wire: number;
    delivered: number;
    held: number;
  };
};

export type UnknownPeerRow = ConfigTables["unknown_peers"];
export type ConfigRow = Omit<ConfigTables["configs"], "address_number">;

/** What an answer needs of a config. Lists read no more: every column of every row costs. */
export const SHOWN = [
  "id",
  "member_id",
  "name",
  "device_type",
  "interface_id",
  "dns_id",
  "sealed_private_key",
  "is_blocked",
  "on_wire",
  "is_stale",
  "moves_until",
  "deleted_at",
  "made_by",
  "delivered_at",
  "created_at",
] as const;

export type ShownConfig = Pick<ConfigRow, (typeof SHOWN)[number]>;

/** What every new config begins with: on no server yet, deleted by nobody, moving nowhere. */
export const NEW_CONFIG = {
  on_wire: 0,
  leaving_key: null,
  is_stale: 0,
  deleted_at: null,
  deleted_by: null,
  key_request: null,
  place_of: null,
  peer_key: null,
  moves_until: null,
} as const satisfies Partial<ConfigRow>;
