import { counter } from "@krug/domain/plural";

const seconds = counter("en", { one: "second", other: "seconds" });
const minutes = counter("en", { one: "minute", other: "minutes" });
const hours = counter("en", { one: "hour", other: "hours" });
const days = counter("en", { one: "day", other: "days" });

const ANOTHER_NETWORK = "Try another network: mobile data instead of Wi-Fi, or the other way round.";
const AGAIN = "Switch the tunnel off in WireGuard and on again.";

export const diagnosis = {
  title: (name: string) => `Is ${name} not working?`,
  again: "Check again",
  checking: "Checking...",
  checkedAt: (time: string) => `Checked at ${time}. We keep checking while this window is open.`,
  ask: "Write to support",
  failed: "The device could not be checked",
  gone: "This device is no longer there: it was deleted.",
  whatToDo: "What to do",
  whatWeSee: "What we see",
  causes: {
    blocked: {
      title: "An administrator switched access off",
      why: "The account or this device is blocked, so the server does not let it in.",
      steps: ["Write to the club's administrator to learn why."],
    },
    dormant: {
      title: "The device is switched off: it has not connected in a long time",
      why: "The club switches off devices that nobody uses. Its key and address are kept.",
      steps: [
        "Press “Switch on again” on the device's card.",
        "The file stays the same: the device works again by itself.",
      ],
    },
    ended: {
      title: "The device's time is over",
      why: "It was set to work until a day, which has passed. Its key and address are kept.",
      steps: [
        "Switch it on again on its card, or write to support if an admin set the day.",
        "The file stays the same: the device works again by itself.",
      ],
    },
    expired: {
      title: "The subscription has ended",
      why: "The server lets in only devices with an active subscription.",
      steps: [
        "Renew the subscription or write to the club's administrator.",
        "The file stays the same: the device works again by itself after a renewal.",
      ],
    },
    no_subscription: {
      title: "There is no active subscription",
      why: "The server lets in only devices with an active subscription.",
      steps: [
        "Write to the club's administrator to get one.",
        "The file stays the same: the device will work by itself.",
      ],
    },
    quota: {
      title: "This month's traffic is used up",
      why: "The club gives a certain amount of traffic a month, and it has run out.",
      steps: [
        "Wait for the next month: the VPN comes back by itself, and the file stays the same.",
        "Do you need it sooner? Write to support.",
      ],
    },
    interface_off: {
      title: "The interface on the server is off",
      why: "An administrator switched it off. Your device is fine.",
      steps: [
        "Write to the administrator to learn when it will be on.",
        "If another interface is open to you, create a config on it.",
      ],
    },
    server_away: {
      title: "The server does not answer",
      why: "Your device is fine. We check the server every minute.",
      steps: [
        "Nothing needs changing: the device connects by itself once the server is back.",
        "If you have a config on another server, use that one for now.",
      ],
    },
    tunnel_down: {
      title: "The server accepts no connections",
      why: "Your device is fine. We connect to the server ourselves every minute, and right now we cannot.",
      steps: [
        "Nothing needs changing: the device connects by itself once the server answers again.",
        "If you have a config on another server, use that one for now.",
        "If this lasts longer than an hour, write to support.",
      ],
    },
    applying: {
      title: "The server is still applying the settings",
      why: "This usually takes a few seconds.",
      steps: [
        "Wait a moment: you will see here when the server has them.",
        "If it takes more than a minute, write to the club's administrator.",
      ],
    },
    outdated_file: {
      title: "The device has an old file",
      why: "The settings have changed since you last downloaded it.",
      steps: [
        "Download the config again.",
        "In WireGuard delete the old tunnel and add the new file.",
        "Switch the tunnel on.",
      ],
    },
    too_many_addresses: {
      title: "Too many addresses for a phone",
      why: "The services of this config now have more than 120 addresses, and a phone may not open the file.",
      steps: ["Create a new config with fewer services.", "Then delete this one."],
    },
    not_forwarded: {
      title: "The server does not forward traffic",
      why: "Your device is fine: the server sees it, but forwards nothing to the internet.",
      steps: [
        "Nothing needs changing, and another DNS would not help: the club's administrators can see what to fix.",
        "If you have a config on another server, use that one for now.",
        "If this lasts longer than an hour, write to support.",
      ],
    },
    exit_waits: {
      title: "The exit to the internet does not answer",
      why: "Your device is fine. Its traffic leaves through another of the club’s servers, which is not answering. Below you see which one, and for what.",
      steps: [
        "Nothing needs changing, and another DNS would not help: everything opens by itself once the exit is back.",
        "If you have a config on another server, use that one for now.",
        "If this lasts longer than an hour, write to support.",
      ],
    },
    exit_direct: {
      title: "The exit does not answer, data leaves straight",
      why: "Your device is fine. Until the exit answers, its data leaves straight from your server, and sites see that server's country.",
      steps: [
        "What is blocked in the server's country may not open until the exit is back. Nothing needs changing.",
        "If you have a config on another server, use that one for now.",
        "If this lasts longer than an hour, write to support.",
      ],
    },
    exit_other: {
      title: "The exit does not answer, another one stands in",
      why: "Your device is fine. Until the exit answers, its data leaves by another server of the club.",
      steps: [
        "Close the app or the site and open it again: old connections stay with the exit they began with.",
        "If a site asks you to sign in again or shows another country, that is because of the other exit.",
        "If nothing opens for longer than an hour, write to support.",
      ],
    },
    no_dns: {
      title: "Connected, but hardly any data arrives",
      why: "The server sees the device, but hardly any pages reach it. DNS is the usual cause.",
      steps: [
        "Open a site of one of the services chosen in this config and check again.",
        "Switch off other VPNs, ad blockers and your own DNS in the device's settings.",
        AGAIN,
        "If that does not help, create a config with another DNS.",
      ],
    },
    all_well: {
      title: "Everything works on our side",
      why: "The device is connected and data gets through.",
      steps: [
        "Only the chosen services go through the VPN. Make sure that the one you need is among them.",
        "Close the app or the site and open it again.",
        "If only one site does not open, it may be the site itself.",
      ],
    },
    clock: {
      title: "The clock is wrong",
      why: "A secure connection needs the right time. This is the clock of the device in front of you: if another one is not working, check the time there.",
      steps: ["Switch on automatic date and time in the device's settings.", AGAIN],
    },
    tunnel_blocked: {
      title: "The network seems to block this kind of tunnel",
      why: "The server accepts connections and the file is right, but this device does not connect. If the tunnel is on, the network most likely blocks it.",
      steps: [
        "Check that the tunnel is on in WireGuard. If it is, switch it off and on again.",
        ANOTHER_NETWORK,
        "If you have a config on another server, try that one.",
      ],
    },
    never_connected: {
      title: "The device has never connected",
      why: "The server is ready, but it has received nothing from this device.",
      steps: ["Install WireGuard and add this config to it.", "Switch the tunnel on.", ANOTHER_NETWORK],
    },
    udp_blocked: {
      title: "The network seems to block the VPN",
      why: "The device reaches the server, but the connection is not completed. That happens when a network blocks UDP.",
      steps: [
        ANOTHER_NETWORK,
        "Switch off other VPNs, and the antivirus if it inspects the network.",
        "If you have a config on another server, try that one.",
      ],
    },
    switched_off: {
      title: "The device is not connected now",
      why: "It has connected before, but the server receives nothing from it now.",
      steps: [
        "Switch the tunnel on in the WireGuard app.",
        "If it is on, switch it off and on again.",
        ANOTHER_NETWORK,
      ],
    },
  },
  replaceKeyStep: "Only the device holds the key: press “Replace key” and you get a new file.",
  appVersionStep: "Check the app's version: an older one adds the tunnel but never connects.",
  download: "Download config",
  facts: {
    rest: "Besides the chosen services",
    exits: { direct: "straight from the server", closed: "nothing opens" },
    exitBy: (name: string) => `by the server “${name}”`,
    exit: (name: string) => `Exit “${name}”`,
    links: {
      up: "answers",
      down: "does not answer",
      stuck: "without internet",
      making: "still being connected",
      missing: "not created yet",
    },
    subscription: "Subscription",
    rights: {
      blocked: "access is blocked",
      unlimited: "unlimited",
      subscription: "active",
      referral: "free, through referrals",
      quota: "traffic used up",
      expired: "ended",
      none: "none",
    },
    until: (word: string, date: string) => `${word}, until ${date}`,
    server: "Server",
    answers: (server: string) => `${server}, answers`,
    away: (server: string, since: string) => `${server}, has not answered since ${since}`,
    tunnel: "Connecting to the server",
    connects: (since: string) => `has worked since ${since}`,
    connectsInside: (since: string) => `has worked since ${since}, checked only on the server itself`,
    connectsNot: (since: string) => `has failed since ${since}`,
    onServer: "Device on the server",
    applied: "added",
    notApplied: "not added",
    handshake: "Last connection",
    never: "never",
    since: (time: string) => `Traffic since ${time}`,
    traffic: (received: string, sent: string) => `incoming ${received}, outgoing ${sent}`,
    file: "File on the device",
    current: "the latest",
    outdated: "outdated",
    clock: "This device's clock",
    right: "is right",
    ahead: (span: string) => `is ${span} ahead`,
    behind: (span: string) => `is ${span} behind`,
  },
  span: { seconds, minutes, hours, days },
  report: (name: string, device: string, cause: string) =>
    `${name} (${device}) is not working. The check says: ${cause}.`,
  reportAt: (time: string) => `Checked ${time}`,
};
