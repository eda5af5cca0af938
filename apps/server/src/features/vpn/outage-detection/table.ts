export type ReachTables = {
  /** Sums over the looks of a step. */
  reach_samples: {
    interface_id: string;
    /** Seconds. */
    step: number;
    /** The step's beginning, ms since 1970. */
    at: number;
    looks: number;
    expected: number;
    online: number;
  };
  /** Interfaces whose devices went at once. */
  reach_cliffs: {
    interface_id: string;
    /** ms since 1970. */
    since: number;
    /** Thousandths of the devices that were expected. */
    share: number;
  };
};

export type ReachSampleRow = ReachTables["reach_samples"];
export type CliffRow = ReachTables["reach_cliffs"];
