/** Sums of all configs; `kind`: interface or device (each config is of one) or service (of some); `key`: its id or kind of device. */
export type StatisticsTables = {
  statistics_hourly: { hour: number } & Sum;
  statistics_daily: { day: string } & Sum;
  /** How many configs were used in that hour or day, by the one in which they were used before; 0 or "": never. */
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
