const GIGABYTE = 1024 ** 3;
/** 1 PB. */
const MOST = 1024 ** 2;

const amountOf = (typed: string) => Number(typed.replace(",", "."));

/** Bytes as a form field of gigabytes of 1024³, to two places: '1.5'. */
export const gigabytesOf = (bytes: number): string => String(Math.round((bytes / GIGABYTE) * 100) / 100);

/** Typed gigabytes, with a point or a comma, in bytes. */
export const bytesOf = (typed: string): number => Math.round(amountOf(typed) * GIGABYTE);

export const isGigabytes = (typed: string): boolean =>
  /^\d+([.,]\d{1,2})?$/.test(typed) && amountOf(typed) > 0 && amountOf(typed) <= MOST;
