export { makeDayFigures } from "./day-figures.ts";
export { keepRollUps } from "./roll-ups.ts";
