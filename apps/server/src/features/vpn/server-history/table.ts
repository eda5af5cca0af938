export type ServerHistoryTables = {
  /** The last reading of a machine's counters. */
  server_readings: {
    server_id: string;
    /** ms since 1970. */
    at: number;
    /** Ticks. */
    cpu_idle: number;
    cpu_total: number;
    /** Bytes. */
    network_in: number;
    network_out: number;
  };
  /** Sums over the readings of a step. */
  server_samples: {
    server_id: string;
    /** Seconds. */
    step: number;
    /** The step's start, ms since 1970. */
    at: number;
    readings: number;
    /** Thousandths of all cores. */
    cpu: number;
    /** Bytes. */
    memory: number;
    memory_total: number;
    /** Thousandths. */
    load: number;
    /** Bytes per second. */
    network_in: number;
    network_out: number;
  };
};

export type ReadingRow = ServerHistoryTables["server_readings"];
export type SampleRow = ServerHistoryTables["server_samples"];
