export { makeDayFigures } from "./day-figures.ts";
export { keepRollUps } from "./roll-ups.ts";
export { makeTrafficOfSpan } from "./traffic-of-span.ts";
