import type { handOver as ru } from "./hand-over-words-ru.ts";

export const handOver: typeof ru = {
  open: "Create a config",
  title: (name: string) => `New config: ${name}`,
  ask: "You get a link that opens the file once, for the member. The file itself is not shown here.",
  make: "Create config",
  making: "Creating...",
  failed: "The config could not be created",
  doneTitle: (config: string) => `${config} is ready`,
  lead: "Pass the link on to the member. It opens the file once, after the member presses a button.",
  waits: (moment: string) => `File not opened yet, the link is valid until ${moment}`,
  noLink: "File not opened yet, and there is no valid link",
  renew: "New link",
  renewTitle: (config: string) => `New link: ${config}`,
  renewAsk: "An earlier link stops working at once. The new one is valid for 24 hours and works once.",
  renewFailed: "The link could not be created",
  revoke: "Revoke",
  revoked: "The link is revoked",
  revokeFailed: "The link could not be revoked",
  refused: {
    "telegram.not_linked": "The member has to link Telegram first.",
    "member.blocked": "The member is blocked.",
    "config.blocked": "The member's configs are blocked.",
    "subscription.inactive": "The member has no active subscription.",
    "quota.used_up": "The member has used up this month's traffic.",
    "config.limit_reached": "The member already has as many configs as the limit allows.",
  },
};
