export type DrainTables = {
  emptyings: {
    id: string;
    from_server: string;
    to_server: string;
    /** The one interface that is drained; null: the whole server. */
    from_interface: string | null;
    to_interface: string | null;
    actor_id: string;
    /** ms since 1970. */
    started_at: number;
    /** The last member whose devices were moved. */
    after_member: string | null;
    total: number;
    moved: number;
    /** Counts by reason, as JSON. */
    stayed: string;
    state: "running" | "done" | "stopped";
    ended_at: number | null;
    /** Until when, ms, devices may use their old interface, which is then deleted; null: as long as any moved device. */
    stay_until: number | null;
  };
};

export type DrainRow = DrainTables["emptyings"];
