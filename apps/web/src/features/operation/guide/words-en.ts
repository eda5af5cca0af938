import type { guide as ru } from "./words-ru.ts";

export const guide: typeof ru = {
  title: "First steps",
  lead: "Each step ticks itself once it is done.",
  dismiss: "Hide",
  dismissFailed: "It could not be hidden",
  done: "done",
  elsewhere: "Does the club already run on another program?",
  bring: "Bring its devices",
  steps: {
    server: "Have a server that answers",
    endpoint: "Set the address where devices find the server",
    catalog: "Set the services and DNS that configs are made from",
    code: "Create an invite code",
    member: "Send the code to the first member",
    telegram: "Connect a Telegram bot (optional)",
  },
  to: {
    server: "Servers",
    endpoint: "Set the address",
    catalog: "WG settings",
    code: "Create a code",
    member: "Invite codes",
    telegram: "How to do it",
  },
};
