/** Hundredths of a currency as an exact decimal: 30000 is "300", 1099 is "10.99", -5 is "-0.05". */
export function decimalOf(hundredths: number): string {
  const sum = Math.abs(hundredths);
  const whole = `${hundredths < 0 ? "-" : ""}${Math.floor(sum / 100)}`;
  const rest = sum % 100;
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(2, "0")}`;
}

/** The reverse, for a text that the contract has checked: digits, and up to two after a point. */
export function hundredthsOf(decimal: string): number {
  const [whole = "0", rest = ""] = decimal.split(".");
  return Number(whole) * 100 + Number(rest.padEnd(2, "0"));
}
