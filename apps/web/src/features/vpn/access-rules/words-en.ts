import type { rules as rulesRu } from "./words-ru.ts";

const addresses = (count: number) => `${count}\u00a0${count === 1 ? "address" : "addresses"}`;

const rulesOf = (count: number) => `${count}\u00a0${count === 1 ? "rule" : "rules"}`;

export const rules: typeof rulesRu = {
  title: "Access rules",
  add: "Add rule",
  search: "Find a rule",
  choose: "Which list to show",
  lists: { blacklist: "Blacklist", whitelist: "Whitelist" },
  leads: {
    blacklist: "Does not open through the VPN.",
    whitelist: "Exceptions: opens even if the blacklist forbids it.",
  },
  empty: { blacklist: "no rules in blacklist", whitelist: "no rules in whitelist" },
  nothing: "No rules match this search",
  failed: "The rules could not be loaded",
  more: "Show more",
  all: "all users",
  selected: "selected users",
  remove: (target) => `Delete rule: ${target}`,
  domain: {
    found: (first, count, age) => `${count === 1 ? first : `${first} and ${count - 1} more`}, checked ${age}`,
    unfound: "The domain was not found: the rule does nothing yet",
    unasked: "Its addresses could not be looked up: the rule does nothing yet",
    failing: (since, count) =>
      `The domain was lost ${since}. The addresses found before stay in force: ${addresses(count)}`,
    show: (name) => `Addresses of the domain ${name}`,
  },
  form: {
    title: "New rule",
    type: "Type",
    target: "Address, network or domain",
    targetHint: "For example 203.0.113.7, 203.0.113.0/24 or example.org",
    domainHint: "The rule covers the domain's IP addresses, which other sites may share. Add subdomains separately.",
    wide: "This covers most of the internet. First add exceptions for what is needed.",
    appliesTo: "For whom",
    all: "All users",
    selected: "Selected",
    member: "Name or username",
    noneChosen: "Nobody is selected yet",
    unpick: (name) => `Remove: ${name}`,
    create: "Create",
    working: "Saving...",
    several: (count) => `This makes ${rulesOf(count)}`,
    wrong: (item) => `“${item}” is not an address, network or domain`,
    andMore: (count) => `and ${count} more`,
    tooMany: (count, most) => `At most ${most} can be added at once, and this is ${count}`,
    done: (target) => `Rule added: ${target}`,
    doneSeveral: (count) => `Added: ${rulesOf(count)}`,
    failed: "Error adding rule",
  },
  removal: {
    title: "Delete the rule?",
    blacklist: (target) => `${target}: the block is lifted at once.`,
    whitelist: (target) => `${target}: the exception ends at once, and the blacklist applies.`,
    confirm: "Delete",
    working: "Deleting...",
    done: (target) => `Rule deleted: ${target}`,
    failed: "Error deleting rule",
  },
  members: {
    nothing: "Nobody found",
    title: (target) => `For whom: ${target}`,
    failed: "Error loading users",
    loading: "Loading...",
  },
  addresses: {
    title: (name) => `Addresses: ${name}`,
    lead: "Addresses are looked up again every 5 minutes.",
    none: "None found yet.",
  },
  servers: {
    title: "Where they apply",
    inForce: "in force",
    pending: "waiting to be applied",
    since: (age) => `applied ${age}`,
    none: "There are no servers yet: the rules apply once there is one.",
    failed: "The servers' state could not be loaded",
  },
  check: {
    title: "Check access",
    lead: "Shows whether an address opens for a user through the VPN, and what decides it.",
    member: "User",
    memberMissing: "Choose a user from the list",
    place: "Address or domain",
    placeHint: "With a port if you like: mail.example.org:25",
    placeMissing: "Enter an address or domain",
    submit: "Check",
    working: "Checking...",
    failed: "The check did not work",
    verdicts: {
      reaches: (who, where) => `${who} can open ${where}`,
      partly: (who, where) => `${who} can open ${where} only at times`,
      closed: (who, where) => `${who} cannot open ${where}`,
    },
    obstacles: {
      blocked: "The account is blocked: its VPN is off.",
      quota: "This month's traffic is used up: the VPN is off.",
      expired: "The subscription has expired: its VPN is off.",
      none: "There is no subscription: its VPN is off.",
      no_devices: "There are no configs.",
      devices_off: "All configs are blocked, or their interface is off.",
      not_applied: "The configs are still waiting to be applied on the server.",
    },
    unresolved: {
      not_found: "The domain was not found.",
      unavailable: "The domain's addresses could not be looked up. Try again.",
    },
    lastKnown: "The domain cannot be found right now; its last known addresses were checked.",
    by: {
      default: "No rule applies to it.",
      closed_port: "The port is closed to everybody.",
      no_ipv6: "There is no IPv6 in the tunnel.",
      routing: "The server does not let it out.",
    },
    exits: {
      direct: (target, device, service) =>
        `${target} → straight from the server. ${device}: ${service === null ? "like other traffic" : `service “${service}”`}.`,
      closed: (target, device, service) =>
        `${target} → closed. ${device}: ${service === null ? "like all traffic except the chosen services" : `service “${service}”`}.`,
      server: (target, device, service, exitNow) =>
        `${target} → ${exitNow}. ${device}: ${service === null ? "like other traffic" : `service “${service}”`}.`,
    },
    rule: {
      blacklist: (target, whom) => `Blacklist: ${target}, ${whom}.`,
      whitelist: (target, whom) => `Whitelist: ${target}, ${whom}.`,
    },
    closed: {
      members: "The network of other users, closed to everybody.",
      private: "A private network, closed to everybody.",
      loopback: "The server's own address, closed to everybody.",
      link_local: "A service address of the server, closed to everybody.",
      special: "A special-purpose network, closed to everybody.",
    },
    beside: (devices) =>
      `Outside the VPN, without rules: ${devices}. The services of these devices do not include the address.`,
    moreAddresses: (count) => `and ${addresses(count)} more`,
    opens: "opens",
    opensNot: "does not open",
  },
};
