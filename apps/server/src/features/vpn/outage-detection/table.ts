export type ReachTables = {
  /** Sums over the counts of a step. */
  reach_samples: {
    interface_id: string;
    /** Seconds. */
    step: number;
    /** The step's start, ms since 1970. */
    at: number;
    looks: number;
    expected: number;
    online: number;
  };
  /** Interfaces whose devices dropped at once. */
  reach_cliffs: {
    interface_id: string;
    /** ms since 1970. */
    since: number;
    /** Thousandths of the expected devices. */
    share: number;
  };
};

export type ReachSampleRow = ReachTables["reach_samples"];
export type CliffRow = ReachTables["reach_cliffs"];
