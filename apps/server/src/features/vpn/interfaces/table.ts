import type { ColumnsOf } from "@krug/domain/fields/field";
import type { INTERFACE_FIELDS } from "@krug/domain/fields/interface";
import type { Reason } from "@krug/domain/reasons";
import type { TunnelType } from "@krug/wireguard/protocol";

export type InterfaceTables = {
  interfaces: ColumnsOf<typeof INTERFACE_FIELDS> & {
    id: string;
    type: TunnelType;
    /** JSON object of what the type needs beyond the columns (profile.ts). */
    parameters: string;
    sealed_header_key: string | null;
    public_key: string;
    sealed_private_key: string;
    /** Why the machine could not set it up (a foreign interface of its name, a port in use); null if it is up. */
    conflict: Reason | null;
    /** Set by a restore until its machine was read: peers there that the backup does not know must stay. */
    first_look_due: number;
    deleted_at: number | null;
    /** Another program has its key on the machine again: the panel leaves it alone there. */
    given_back: number;
  };
  interface_assignments: { member_id: string; interface_id: string };
  /** Keys of links between servers: as those of interfaces there ever were. */
  exit_link_keys: { server_id: string; public_key: string };
  endpoint_addresses: {
    /** The endpoint's. */
    name: string;
    /** JSON list. */
    addresses: string;
    asked_at: number;
  };
};

export type EndpointRow = InterfaceTables["endpoint_addresses"];
export type InterfaceRow = InterfaceTables["interfaces"];
