import { TRIAL_DAYS } from "@krug/domain/invite-rules";
import { counter } from "@krug/domain/plural";

const days = counter("en", { one: "day", other: "days" });

export const charter = {
  title: "Club charter",
  contents: "Sections of the charter",
  read: (left: number) => `Please read the charter: ${left}`,
  thanks: "Thank you for reading the charter",
  scroll: "Scroll to the end, and the button appears here.",
  accept: "I accept the club rules",
  saving: "Saving...",
  failed: "Could not save that you accepted the rules",
  sections: [
    {
      title: "Welcome",
      text: [
        "This is a closed club. People join through friends: every new member was invited by somebody who vouches for them.",
        "The club gives you a personal VPN: each of your devices has its own configuration and its own key.",
        "The charter is short. It explains how things work here and what we have agreed on.",
      ],
    },
    {
      title: "Personal account",
      text: [
        "An account belongs to one person. Do not share your password or sign in for somebody else.",
        "Your account shows when your subscription ends, which devices are connected and how much traffic they have used.",
        `A new member has a trial of ${days(TRIAL_DAYS)}. When a subscription ends, the VPN switches off, but your devices and files stay: everything works again once you renew.`,
      ],
    },
    {
      title: "Individual settings",
      text: [
        "The standard plan has three configuration profiles, for example for a phone, a laptop and a tablet. You can get extra ones through support: write to the administrator.",
        "For each profile you choose the services, the DNS and the server yourself.",
        "A profile is meant for one device. Two devices with the same file disturb each other.",
      ],
    },
    {
      title: "Security",
      text: [
        "A configuration file and its QR code are the key to your door. Do not forward them or show them to strangers.",
        "If you lose a device, press “Replace key” on its card, and the old file stops working at once.",
        "We do not record where you connect from. We keep only the time of the last connection and the amount of traffic.",
        "Do not use the club for mass mailing, break-ins or anything that harms others: administrators close such accounts.",
      ],
    },
    {
      title: "Referral programme",
      text: [
        `After the trial you can invite friends. A code is valid for 12 hours and admits one person, who gets a trial of ${days(TRIAL_DAYS)}. The club decides how many codes you can make in a month.`,
        "While three friends you invited use the club, your subscription is free. A friend counts when they have a subscription of their own (the trial is not one) and connected within the last 30 days.",
        "With fewer than three such friends the free subscription ends. The invite window shows who counts, and why the others do not yet.",
        "Only an administrator can give extra privileges, such as exclusive servers or configurations beyond the plan.",
        "Invite only people you can vouch for.",
      ],
    },
    {
      title: "Mission",
      text: [
        "The club exists to keep the internet open and private life private.",
        "The club runs on trust: we look after each other, keep a low profile and help those we invited.",
      ],
    },
  ],
};
