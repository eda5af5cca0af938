/** Choices for extending a subscription, in days; the first is the default. */
export const PERIODS = ["30", "90", "365"] as const;
export type Period = (typeof PERIODS)[number];

const SUM = /^\d{1,7}(\.\d{1,2})?$/;

/** What was written as the sum paid, in the panel's format: null: nothing, so a gift; undefined: no sum. */
export function sumOf(written: string): string | null | undefined {
  const sum = written.trim().replace(",", ".");
  if (sum === "") return null;
  return SUM.test(sum) && Number(sum) > 0 ? sum : undefined;
}
