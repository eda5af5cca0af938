import type { leaving as ru } from "./leave-words-ru.ts";

/** Somebody leaves staff. */
export const leaving: typeof ru = {
  title: (name: string) => `${name}: no longer on staff`,
  lead: "This ends at once and together:",
  things: [
    "the role: from now on they are a member",
    "all sessions and API tokens",
    "2FA and passkeys",
    "invite codes that they made",
    "their chats and tickets: others take them",
  ],
  block: "Block them as a member too",
  confirm: "Remove from staff",
  working: "Removing...",
  failed: "Could not remove them from staff",
  done: (name: string) => `${name}: staff access is closed`,
  remind: "What the panel cannot know",
  reminders: [
    "The master key: if they may have seen it, run krug rotate-key on the panel's server.",
    "Passwords and SSH keys of servers, access to the hosting and the domain.",
    "The bot's token, if they had access to BotFather.",
    "The backups' passphrase, and the place where backups are.",
  ],
  close: "Done",
};
