export { keepRollUps } from "./roll-ups.ts";
