/** Under the notice that a device was reported lost (telegram-way.ts); the bot hears them (converse.ts). */
export const LOST_YES = "lost-yes";
export const LOST_NO = "lost-no";
