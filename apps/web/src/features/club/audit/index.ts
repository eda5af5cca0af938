export { changesOf, changeText } from "./changes.ts";
export { useAuditWords } from "./words.ts";
