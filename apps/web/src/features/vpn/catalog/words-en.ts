import { counter } from "@krug/domain/plural";
import { type Extra, percent } from "./extra.ts";

const characters = counter("en", { one: "character", other: "characters" });
const configs = counter("en", { one: "config", other: "configs" });
const devices = counter("en", { one: "device", other: "devices" });
const addresses = counter("en", { one: "address", other: "addresses" });
const networks = counter("en", { one: "network", other: "networks" });
const times = counter("en", { one: "time", other: "times" });
const foreign = counter("en", { one: "other address", other: "other addresses" });
const phones = counter("en", { one: "phone config", other: "phone configs" });

export const catalog = {
  services: "Services",
  servicesLead: "Whose traffic goes through the VPN. Members choose them when they make a config.",
  dns: "DNS",
  dnsLead: "Who answers for the names of sites on the device.",
  addService: "Add service",
  addDns: "Add DNS",
  add: "Add",
  search: "Name or address",
  nothing: "Nothing was found",
  nothingLead: "Try another name, address or network.",
  clear: "Show all",
  noServices: "No services. Without them members cannot make a config.",
  noDns: "No DNS entries. Without them members cannot make a config.",
  failed: "The data could not be loaded. Please try again later.",
  columns: { name: "Name", addresses: "Addresses", devices: "Devices", configs: "Configs" },
  addresses,
  andMore: (count: number) => `and ${count} more`,
  allBut: "Everything but the list",
  isUsed: "Used",
  used: (count: number) => (count === 0 ? "in none" : `in ${configs(count)}`),
  overPhone: "More than a phone takes (120)",
  devices: { all: "All", computer: "Computer", phone: "Phone" },
  actions: { edit: "Edit", remove: "Delete" },
  edit: {
    newService: "New service",
    newDns: "New DNS entry",
    title: (name: string) => `Edit: ${name}`,
    name: "Name",
    nameEmpty: "The name cannot be empty",
    ips: "IP addresses and networks, comma-separated",
    ipsDns: "IP addresses, comma-separated",
    scope: "Through the VPN go",
    these: "These addresses",
    allBut: "Everything but them",
    rest: (count: number) => `everything else is ${networks(count)}`,
    nothingElse: "There is nothing but these addresses",
    ipsEmpty: "Give at least one address",
    tooMany: (count: number, most: number) => `These come to ${networks(count)}, and ${most} at the most are possible`,
    tooLong: (most: number) => `Too long: ${characters(most)} at the most`,
    merged: (count: number) => `they are kept as ${networks(count)}`,
    comments: "comments are not kept",
    together: (count: number) => `together ${networks(count)}`,
    wrong: {
      service: {
        other: (item: string) => `“${item}” is not an IP address or network`,
        name: (item: string) => `“${item}” is a site's name: a service consists of IP addresses and networks`,
        as: (item: string) => `“${item}” is the number of an autonomous system: name it among the sources`,
      },
      dns: {
        other: (item: string) => `“${item}” is not an IP address`,
        name: (item: string) => `“${item}” is a name, and an IP address is needed`,
        as: (item: string) => `“${item}” is not an IP address`,
      },
    },
    fit: (count: number) => `Reduce for phones: ${networks(count)}`,
    fitCost: ({ v4, v6 }: Extra, share: number) =>
      v4 + v6 === 0
        ? "The addresses stay the same."
        : `The VPN would also carry ${[...(v4 > 0 ? [foreign(v4)] : []), ...(v6 > 0 ? [`${networks(Math.ceil(v6))} of /64 in IPv6`] : [])].join(" and ")}, ${share > 1 ? `${times(Math.ceil(share))} the list itself` : percent("en", share)}.`,
    inLine: (line: number, problem: string) => `Line ${line}: ${problem}`,
    countOf: (count: number) => addresses(count),
    phoneLimit: (most: number) => `a phone takes ${most} together with other services`,
    wholeInternet: (written: string) =>
      `Together these are the whole internet: the file says ${written}, and everything that a device does goes through the VPN.`,
    sources: "Sources: https addresses of lists, AS numbers, countries; each on its own line",
    sourcesMore:
      "For example https://lists.example/nets.txt, AS13335 or FI. The panel looks up their networks once a day and adds them to the addresses above.",
    wrongSource: (item: string) => `“${item}” is not the https address of a list, an AS number or a country`,
    tooManySources: (most: number) => `${most} sources at the most`,
    devices: "For which devices",
    effect: (count: number) => `The file gets old on ${devices(count)}`,
    effectMore: "Their owners will see “Download again”. Until they do, they have the former addresses.",
    effectNone: "Nobody's file gets old.",
    effectWaiting: "Counting whom it concerns...",
    effectFailed: "Whom it concerns could not be counted",
    phonesOver: (count: number) => `More than 120 addresses: ${phones(count)}`,
    phonesOverMore: "They stay as they are with a mark, but a weak phone may not open them.",
    save: "Save",
    saving: "Saving...",
    saved: (name: string) => `${name}: saved`,
    added: (name: string) => `${name}: added`,
    nothingChanged: "Nothing was changed",
    failed: "It could not be saved",
    conflict: "While you were editing, a colleague changed the entry",
    conflictMore: "Your values are still in the form. Save again to put them in place of the new ones.",
    now: (name: string, ips: string) => `Now: ${name}, ${ips}`,
  },
  sources: {
    title: "State of the sources",
    loading: "Loading the state of the sources...",
    failed: "The state of the sources could not be loaded",
    fetched: (count: number, age: string) => `${networks(count)}, ${age}`,
    unread: (count: number) => `lines not understood: ${count}`,
    tried: "The new list was not accepted:",
    now: "Refresh now",
    nowFailed: "The sources could not be refreshed",
  },
  remove: {
    title: (name: string) => `Delete: ${name}?`,
    text: "It will not be offered any more when a config is made. Nothing uses it now.",
    textService: "It will not be offered any more when a config is made. Nothing uses it now.",
    inUse: (count: number) => `In use: ${configs(count)}. As long as that is so, it cannot be deleted.`,
    inUseMore: "Delete these configs first, or ask their owners to recreate them without this entry.",
    confirm: "Delete",
    working: "Deleting...",
    done: (name: string) => `${name}: deleted`,
    failed: "It could not be deleted",
    understood: "OK",
  },
};
