/** A phone can't scan its own screen: there what would be scanned is opened instead. */
export const onThisPhone = () => window.matchMedia?.("(pointer: coarse) and (max-width: 47.99em)").matches ?? false;
