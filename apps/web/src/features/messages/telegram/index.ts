export { telegramQuery } from "./queries.ts";
export { TelegramPart } from "./telegram-part.tsx";
