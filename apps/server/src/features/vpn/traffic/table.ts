export type TrafficTables = {
  /** One row per config: its lifetime totals, and the raw counters of their last update. rx = from the device. */
  traffic_counters: {
    config_id: string;
    /** The peer of these raw counters; another key's start from zero. */
    public_key: string;
    raw_rx: number;
    raw_tx: number;
    total_rx: number;
    total_tx: number;
    last_handshake_at: number | null;
    /** The last hour (its start, ms) and day in which something was counted; 0 and "": never. */
    used_hour: number;
    used_day: string;
    /** The interface of these raw counters, once the device has moved; null before. */
    interface_id: string | null;
    /** Names the life of these raw counters; null if unknown. */
    life: string | null;
  };
  /** `hour`: its start by the club's clock, ms since 1970. */
  traffic_hourly: { hour: number } & Used;
  /** `day`: YYYY-MM-DD in the club's zone. */
  traffic_daily: { day: string } & Used;
  /** All devices together; the rows above have the parts. */
  traffic_club_hourly: { hour: number; rx: number; tx: number };
  traffic_club_daily: { day: string; rx: number; tx: number };
};

/** One config's usage in an hour or a day, and its lifetime totals before. */
export interface Used {
  config_id: string;
  rx: number;
  tx: number;
  opening_rx: number;
  opening_tx: number;
}

export type CounterRow = TrafficTables["traffic_counters"];
