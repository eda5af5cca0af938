import { noticeWords } from "@krug/domain/notice-words";

export const inbox = {
  title: "Notices",
  open: "Notices",
  openUnread: (count: number) => `Notices, new: ${count}`,
  empty: "Nothing new yet.",
  emptyLead: "What matters appears here: your subscription's end, payments, answers of support.",
  failed: "The notices could not be loaded",
  loading: "Loading...",
  more: "Show more",
  fresh: "new",
  toSupport: "Open support",
  ...noticeWords.en,
  notify: {
    title: (name: string) => `Message: ${name}`,
    lead: "The message appears among the member's notices, and in Telegram if that is linked. It can be answered through support.",
    label: "Message",
    left: (count: number) => `Characters left: ${count}`,
    empty: "Write the message",
    tooLong: "1000 characters at the most",
    send: "Send",
    sending: "Sending...",
    done: (name: string) => `Message sent: ${name}`,
    failed: "The message could not be sent",
  },
};
