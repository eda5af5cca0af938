/** `YYYY-MM`, this many months later; negative: earlier. */
export function monthsAfter(period: string, months: number): string {
  const [year = 0, month = 1] = period.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
}
