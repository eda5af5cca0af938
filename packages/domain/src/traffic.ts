import { DAY_MS } from "./moment.ts";

const UNITS = ["KB", "MB", "GB", "TB"] as const;

/** '0 B', '1023 B', '1.0 KB' … '1.5 TB': base 1024, one decimal from KB up. Anything but a number of bytes reads '0 B'. */
export function formatBytes(bytes: number, decimalSeparator = "."): string {
  if (!Number.isFinite(bytes) || bytes < 0) return "0 B";
  if (Math.round(bytes) < 1024) return `${Math.round(bytes)} B`;
  let amount = bytes / 1024;
  let unit = 0;
  // What would round to '1024.0 KB' becomes '1.0 MB'.
  while (Number(amount.toFixed(1)) >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount.toFixed(1).replace(".", decimalSeparator)} ${UNITS[unit]}`;
}

/** The `count` days ending with `today`, oldest first; YYYY-MM-DD in the zone of `today`. */
export function daysUpTo(today: string, count: number): string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
