import type { Reason } from "@krug/domain/reasons";
import type { SshProblem } from "../../../hosts/host.ts";
import type { TunnelPlace } from "../../../hosts/remote.ts";

/** A problem in reaching a server, if it has a code of its own. */
export type ServerProblem = SshProblem | "unproved_restore";

export type ServerTables = {
  servers: {
    id: string;
    name: string;
    /** `local`: the machine of a panel, `panel_id`; `ssh`: one that any panel reaches over SSH. */
    driver: "local" | "ssh";
    /** The panel whose own machine this is. */
    panel_id: string | null;
    /** A hash that identifies the machine; null until it was inspected. */
    machine: string | null;
    /** Host name or address without port, set by an admin. */
    endpoint: string | null;
    /** Offered while no endpoint is set: PUBLIC_URL's host, else the default route's address. */
    default_endpoint: string | null;
    is_main: number;
    is_setup_complete: number;
    unreachable_since: number | null;
    unreachable_reason: Reason | null;
    reconciled_at: number | null;
    created_at: number;
    deleted_at: number | null;
    ssh_host: string | null;
    ssh_port: number | null;
    ssh_username: string | null;
    /** Until set-up has installed the panel's own key. */
    sealed_password: string | null;
    /** Fingerprint of the pinned host key; null before the first contact. */
    host_key: string | null;
    /** Another key that the machine has shown since: nothing is done there until an admin accepts it. */
    shown_host_key: string | null;
    unreachable_problem: ServerProblem | null;
    /** Staff were notified that it does not answer. */
    gone_told: number;
    /** `About` as JSON. */
    about: string | null;
    /** Becomes the main server when its set-up completes. */
    wants_main: number;
    /** Whether new configs can be made on it. */
    takes_new: number;
    /** Whether the panel's helper and key are on the machine. */
    is_prepared: number;
    /** `ForwardingTold` as JSON: why it does not forward members' packets; null while no obstacle is known. */
    forwarding: string | null;
    /** Whether foreign firewalls on its machine are kept open for its tunnels. */
    opens_forwarding: number;
    /** `Reason`: why its machine does not resolve services' names where it routes; null if it does or need not. */
    names_failure: Reason | null;
    /** `Reason`: why nobody's speed is limited there; null if it is or need not be. */
    speed_failure: Reason | null;
    /** The largest packet, in bytes, that leaves it unfragmented; null until measured. */
    path_mtu: number | null;
    /** Set-up steps before this time belong to a machine that no longer exists. */
    setup_since: number | null;
    /** Where its tunnels should be, by an admin's choice or as set-up decided. */
    tunnels_in: TunnelPlace | null;
    /** As the machine was last set up; null: without Docker. */
    tunnels_now_in: TunnelPlace | "moving" | null;
  };
  ssh_key: { id: "panel"; public_key: string; sealed_private_key: string; created_at: number };
  server_assignments: { member_id: string; server_id: string };
};

export type ServerRow = ServerTables["servers"];

/** The columns of a server that is not reached over SSH. */
export const NOT_REMOTE = {
  ssh_host: null,
  ssh_port: null,
  ssh_username: null,
  sealed_password: null,
  host_key: null,
  shown_host_key: null,
  unreachable_problem: null,
  gone_told: 0,
  about: null,
  wants_main: 0,
  is_prepared: 0,
  setup_since: null,
  tunnels_in: null,
  tunnels_now_in: null,
  forwarding: null,
  opens_forwarding: 0,
  names_failure: null,
  speed_failure: null,
  path_mtu: null,
} as const satisfies Partial<ServerRow>;
