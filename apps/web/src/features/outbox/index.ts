export { NoticeChoices } from "./notice-choices.tsx";
