/** Under the notice of a lost device (telegram-way.ts); the bot handles them (answer-lost.ts). */
export const LOST_YES = "lost-yes";
export const LOST_NO = "lost-no";
