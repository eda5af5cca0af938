import { z } from "zod";

/** An exact decimal with up to two places, e.g. "300" or "10.99". */
export const Amount = z.string().regex(/^\d+(\.\d\d)?$/);
/** ISO 4217. */
export const Currency = z.string().regex(/^[A-Z]{3}$/);

export const Sum = z.object({ amount: Amount, currency: Currency });

/** On write: with up to two places. */
export const WrittenSum = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.stringFormat("sum", /^\d{1,7}(\.\d{1,2})?$/).refine((written) => Number(written) > 0));
