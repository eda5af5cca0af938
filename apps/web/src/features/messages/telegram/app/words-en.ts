import type { app as ru } from "./words-ru.ts";

export const app: typeof ru = {
  linkTitle: "Link this Telegram?",
  linkLead: (account, username) =>
    `Telegram ${account} will be linked to the account ${username}. You will sign in from here without a password, and the bot will send notices and device files.`,
  link: "Link",
  linked: "Telegram is linked",
  linkFailed: "Could not link",
  stopped: "Could not sign in",
  noCookies: "You can't sign in here",
  noCookiesLead: "This browser keeps no sign-in for pages inside Telegram. Open the club in the browser itself.",
  close: "Close",
  openInBrowser: "Open in the browser",
};
