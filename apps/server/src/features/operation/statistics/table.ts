/**
 * Sums of all configs; `kind`: interface or device (one for each config) or service (several); `key`: its id or the kind of
 * device.
 */
export type StatisticsTables = {
  statistics_hourly: { hour: number } & Sum;
  statistics_daily: { day: string } & Sum;
  /** How many configs were used in that hour or day, by when each was used before; 0 or "": never. */
  statistics_hourly_came: { hour: number; since: number } & Came;
  statistics_daily_came: { day: string; since: string } & Came;
};

interface Sum {
  kind: Kind;
  key: string;
  rx: number;
  tx: number;
}

interface Came {
  kind: Kind;
  key: string;
  configs: number;
}

export type Kind = "interface" | "device" | "service";
