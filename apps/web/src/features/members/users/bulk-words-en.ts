import { counter } from "@krug/domain/plural";

const members = counter("en", { one: "member", other: "members" });
const days = counter("en", { one: "day", other: "days" });

export const bulk = {
  progress: (done: number, all: number) => `${done} of ${all} done`,
  stopped: (done: number) => `Done: ${members(done)}. Then an error occurred. You can continue from there.`,
  goOn: "Continue",
  extendBy: (count: number) => `Extend by ${days(count)}`,
  othersRefused: (count: number) => `and ${count} more`,
  extendTitle: (count: number) => `Extend subscriptions: ${members(count)}`,
  extendOf: (name: string) => `Extend subscription: ${name}`,
  extended: (name: string, count: number) => `${name}: plus ${days(count)}`,
  extendLead: "The days are added to the subscription's end, or to today if it has expired.",
  period: "For how long",
  days,
  sum: "How much was paid",
  sumOfEach: "How much each of them paid",
  sumHint: "Optional. With a sum it counts as revenue, without one it is a gift.",
  sumWrong: "A sum above zero, with at most two decimals",
  extend: "Extend",
  extending: "Extending...",
  write: "Write",
  writeTitle: (count: number) => `Message: ${members(count)}`,
  send: (count: number) => (count === 1 ? "Send" : `Send to ${members(count)}`),
  sending: "Sending...",
  blockTitle: (count: number) => `Block ${members(count)}?`,
  more: "Other actions on the selected members",
  groups: "Change groups",
  groupsTitle: (count: number) => `Groups: ${members(count)}`,
  changeLimit: "Change limit",
  limit: "How many configs each of them can create",
  limitTitle: (count: number) => `Config limit: ${members(count)}`,
  done: (count: number) => `Done: ${members(count)}`,
  partly: (done: number, left: number) => `Done: ${members(done)}. Not done: ${members(left)}`,
  refused: "Not changed",
  failed: "The selected members could not be changed",
};
