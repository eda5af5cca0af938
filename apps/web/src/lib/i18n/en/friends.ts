import { counter } from "../plural.ts";

const days = counter("en", { one: "day", other: "days" });

export const friends = {
  title: "Invite a friend",
  codeTitle: "Your code",
  left: "valid for",
  validUntil: (time: string) => `A code for one person, valid until ${time}. Your friend gets a trial of 3 days.`,
  none: "A code for one person, valid for 12 hours. Your friend gets a trial of 3 days.",
  make: "Make a code",
  making: "Making...",
  share: "Share",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "The browser did not let us copy. Select the code and copy it yourself.",
  message: (club: string, code: string) => `Your invitation to “${club}”. Code: ${code}. Register at:`,
  makeFailed: "Could not make an invite code",
  codeFailed: "Could not check the invite code",
  listFailed: "Could not load the friends you invited",
  doorSubscription: "Write to the club's administrator to renew your subscription.",
  doorTrial: "Write to the club's administrator to go on from the trial to a subscription.",
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
  trialLeft: (left: number) => (left < 1 ? "the last day" : `${days(left)} left`),
};
