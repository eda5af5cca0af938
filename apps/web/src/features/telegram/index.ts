export { TelegramPart } from "./telegram-part.tsx";
