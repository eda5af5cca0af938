export { NoticeChoices } from "./notice-choices.tsx";
export { useOutboxWords } from "./words.ts";
