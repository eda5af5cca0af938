export type { ComposerTool } from "./composer.tsx";
export { Conversation } from "./conversation.tsx";
export { type Line, type Message, pageQuery, type TicketId, threadQuery } from "./line.ts";
export { PAGE_SIZE } from "./thread.ts";
