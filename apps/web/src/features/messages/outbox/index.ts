export { NoticeChoices } from "./notice-choices.tsx";
export { outboxWords } from "./words.ts";
