const GIGABYTE = 1024 ** 3;
/** 1 PB. */
const MOST = 1024 ** 2;

const amountOf = (typed: string) => Number(typed.replace(",", "."));

/** Decimal places that distinguish single bytes. */
const PLACES = 10;

/** Bytes as a form field in gigabytes of 1024³, no longer than needed: '1.5'. `bytesOf` restores the same bytes. */
export function gigabytesOf(bytes: number): string {
  const exact = bytes / GIGABYTE;
  for (let places = 0; places < PLACES; places += 1) {
    const text = exact.toFixed(places);
    if (bytesOf(text) === bytes) return text;
  }
  return exact.toFixed(PLACES);
}

/** Typed gigabytes, with a point or a comma, as bytes. */
export const bytesOf = (typed: string): number => Math.round(amountOf(typed) * GIGABYTE);

export const isGigabytes = (typed: string): boolean =>
  /^\d+([.,]\d{1,2})?$/.test(typed) && amountOf(typed) > 0 && amountOf(typed) <= MOST;
