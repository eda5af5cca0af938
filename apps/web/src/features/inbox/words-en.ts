import { counter } from "../../lib/i18n/plural.ts";

const configs = counter("en", { one: "config", other: "configs" });

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
  said: {
    subscriptionEnds: {
      3: "Your subscription ends soon",
      1: "Your subscription is about to end",
    },
    subscriptionEndsMore: (moment: string) =>
      `It is valid until ${moment}. Extend it before, so that your VPN stays on.`,
    subscriptionEnded: "Your subscription has ended",
    subscriptionEndedMore: (moment: string) =>
      `It was valid until ${moment}. Your configs are kept and will work again by themselves once you have paid.`,
    quotaNearly: "More than 80% of your traffic is used",
    quotaNearlyMore: {
      cut: (all: string, day: string) => `You have ${all} this month. Once they are used, the VPN stops until ${day}.`,
      tell: (all: string, day: string) => `You have ${all} this month. Counting starts again on ${day}.`,
    },
    quotaUsedUp: "This month's traffic is used up",
    quotaUsedUpMore: {
      cut: (all: string, day: string) =>
        `All ${all} are used. The VPN is off and comes back by itself on ${day}. Do you need it sooner? Write to support.`,
      tell: (all: string, day: string) => `All ${all} are used. The VPN goes on, and counting starts again on ${day}.`,
    },
    paymentRecorded: (month: string) => `Payment for ${month} received`,
    paymentUntil: (day: string) => `Your subscription is valid until ${day}.`,
    paymentEndless: "Your subscription is valid without end.",
    configMade: (name: string) => `The config ${name} was made for you`,
    configMadeMore: "An admin made it. Its file is on the device's card in your dashboard too.",
    configMoved: (name: string) => `The config ${name} was moved to another server`,
    configMovedMore: "An admin did it. Download the file on the device's card.",
    configMovedUntil: (until: string) =>
      `An admin did it. Download the file again on the device's card: the old one works until ${until} at the latest.`,
    configsMoved: (names: readonly string[]) =>
      names.length === 1
        ? `The config ${names[0]} was moved to another server`
        : `Moved to another server: ${configs(names.length)}`,
    configsMovedMore: (names: readonly string[]) =>
      `An admin did it. Download the file again on the device's card${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
    configsMovedUntil: (until: string) => `The old file works until ${until} at the latest.`,
    configDeleted: (names: readonly string[]) =>
      names.length === 1 ? `The config ${names[0]} was deleted` : `Deleted: ${configs(names.length)}`,
    configDeletedMore: (names: readonly string[]) =>
      names.length === 1
        ? "An admin deleted it, and this device will not connect any more."
        : `An admin deleted them: ${names.join(", ")}. These devices will not connect any more.`,
    supportReply: "Support has answered",
    supportChat: "The answer is in the chat.",
    supportTicket: "The answer is in your ticket.",
    maintenanceBegan: "Maintenance has begun",
    maintenanceBeganMore: (moment: string) => `Since ${moment}. Your VPN stays on meanwhile.`,
    maintenanceEnded: "Maintenance is over",
    maintenanceEndedMore: (from: string, to: string) =>
      `It went on from ${from} to ${to}. Your VPN worked all the while.`,
    joiningLimited: {
      address: (members: number) => `${members} registrations from one address within a day`,
      code: (members: number) => `${members} registrations with one invite code within a day`,
    },
    joiningLimitedMore: {
      address: "No more are let in from there for now. Look at who joined; the limit is in the system's settings.",
      code: "The code lets nobody in for now. If it got into wrong hands, deactivate it; the limit is in the system's settings.",
    },
    serverGone: (server: string) => `The server '${server}' does not answer`,
    serverGoneMore: (since: string) =>
      `Since ${since}. Changes are kept and applied when it is back. The servers page names the reason.`,
    serverBack: (server: string) => `The server '${server}' answers again`,
    serverBackMore: (since: string, until: string) => `It did not answer from ${since} to ${until}.`,
    addressesLow: (name: string, free: number) =>
      free === 0 ? `${name}: no free addresses are left` : `${name}: free addresses left: ${free}`,
    addressesLowMore: (server: string) =>
      `On the server ${server}. Create another interface before new devices have no room.`,
    staff: "A message from the club's staff",
  },
  months: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
  notify: {
    title: (name: string) => `Message: ${name}`,
    lead: "The message appears among the member's notices. He can answer it through support.",
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
