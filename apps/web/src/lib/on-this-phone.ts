/** A phone can't scan its own screen, so the page opens what would be scanned. */
export const onThisPhone = () => window.matchMedia?.("(pointer: coarse) and (max-width: 47.99em)").matches ?? false;
