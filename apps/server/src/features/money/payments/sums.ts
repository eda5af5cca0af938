import { decimalOf } from "@krug/domain/money";

/** Hundredths as the database answers them. */
interface Part {
  currency: string | null;
  amount: number | string | null;
}

/** Sums by currency, in its order; currencies without any are left out. */
export function moneyOf(parts: readonly Part[], without: readonly Part[] = []) {
  const sums = new Map<string, number>();
  const add = (some: readonly Part[], sign: 1 | -1) => {
    for (const { currency, amount } of some)
      if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + sign * Number(amount ?? 0));
  };
  add(parts, 1);
  add(without, -1);
  return [...sums]
    .filter(([, amount]) => amount > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ amount: decimalOf(amount), currency }));
}
