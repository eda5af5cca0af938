export type { ComposerTool } from "./composer.tsx";
export { Conversation } from "./conversation.tsx";
export { type Line, type Message, pageQuery, type TicketId, threadQuery } from "./line.ts";
export { reopenPage } from "./reopen-page.ts";
export { PAGE_SIZE } from "./thread.ts";
