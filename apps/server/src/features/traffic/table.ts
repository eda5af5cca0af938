export type TrafficTables = {
  /** One row a config: its life's totals, and the raw counters they were last brought up to. rx = from the device. */
  traffic_counters: {
    config_id: string;
    /** Whose raw counters these are; another key's start from zero. */
    public_key: string;
    raw_rx: number;
    raw_tx: number;
    total_rx: number;
    total_tx: number;
    last_handshake_at: number | null;
  };
  /** `hour`: its start, ms since 1970. */
  traffic_hourly: { config_id: string; hour: number; rx: number; tx: number };
  /** `day`: YYYY-MM-DD in the club's zone. */
  traffic_daily: { config_id: string; day: string; rx: number; tx: number };
};

export type CounterRow = TrafficTables["traffic_counters"];
