import { TRIAL_DAYS } from "@krug/domain/invite-rules";
import { counter } from "@krug/domain/plural";

const days = counter("en", { one: "day", other: "days" });

export const friends = {
  title: "Invite a friend",
  codeTitle: "Your code",
  left: "valid for",
  validUntil: (time: string) =>
    `A code for one person, valid until ${time}. Your friend gets a trial of ${days(TRIAL_DAYS)}.`,
  none: `A code for one person, valid for 12 hours. Your friend gets a trial of ${days(TRIAL_DAYS)}.`,
  make: "Create a code",
  making: "Creating...",
  share: "Share",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "The browser did not let us copy. Select the code and copy it yourself.",
  showQr: "Show QR code",
  hideQr: "Hide QR code",
  qrLabel: "QR code with the link to registration",
  message: (club: string, code: string) => `Your invitation to “${club}”. Code: ${code}. Register at:`,
  makeFailed: "Could not create an invite code",
  codeFailed: "Could not check the invite code",
  listFailed: "Could not load the friends you invited",
  /** The panel's refusal. */
  onTrial: "You can invite friends after your trial.",
  needsSubscription: "You need an active subscription to invite friends.",
  doorSubscription: "Renew your subscription in the dashboard, or write to support.",
  pay: "Renew",
  doorTrial: "Get a subscription in the dashboard, or write to support.",
  listTitle: "Invited friends",
  progress: (count: number, all: number) => `${count} of ${all}`,
  toGo: [
    "Your subscription is free",
    "One more friend, and your subscription is free",
    "Two more friends, and your subscription is free",
    "Three friends, and your subscription is free",
  ],
  toGoMore: "As long as three friends use the club.",
  empty: "Nobody yet. A friend shows up here once they register with your code.",
  counts: "counts",
  countsUntil: (date: string) => `counts, subscription until ${date}`,
  why: {
    blocked: "not yet: the account is blocked",
    no_subscription: "not yet: no subscription",
    on_trial: "not yet: on the trial",
    no_handshake: "not yet: no connection in 30 days",
  },
};
