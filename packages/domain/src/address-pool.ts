/** Of a pool this many are worth a word before they are gone: a tenth, but no more than a busy week takes. */
const LOW_SHARE = 10;
const LOW_AT_MOST = 500;

/** Are so few addresses left that staff should make another interface, or a wider one? `taken` and `capacity` count devices. */
export function addressesRunLow(taken: number, capacity: number): boolean {
  return capacity - taken <= Math.min(LOW_AT_MOST, Math.ceil(capacity / LOW_SHARE));
}
