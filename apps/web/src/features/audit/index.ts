export { changesOf, changeText } from "./changes.ts";
