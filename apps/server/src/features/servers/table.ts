export type ServerTables = {
  servers: {
    id: string;
    name: string;
    driver: "local";
    /** The panel whose own machine this is. */
    panel_id: string | null;
    /** A hash that tells that machine from others; null until it was looked at. */
    machine: string | null;
    /** Host name or address without port, set by an admin. */
    endpoint: string | null;
    /** Offered while no endpoint is set: PUBLIC_URL's host, else the default route's address. */
    default_endpoint: string | null;
    is_main: number;
    is_setup_complete: number;
    unreachable_since: number | null;
    unreachable_reason: string | null;
    reconciled_at: number | null;
    created_at: number;
    deleted_at: number | null;
  };
  server_assignments: { member_id: string; server_id: string };
};

export type ServerRow = ServerTables["servers"];
