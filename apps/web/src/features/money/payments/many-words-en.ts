import { counter } from "@krug/domain/plural";
import type { manyWords as russian } from "./many-words-ru.ts";

const members = counter("en", { one: "member", other: "members" });

export const manyWords: typeof russian = {
  title: "Confirm payments",
  lead: "Select those whose money has arrived. Each is recorded as they reported it.",
  longestWaiting: (shown, waiting) =>
    `These are the ${shown} of ${waiting} who have waited longest. The others come once these are decided.`,
  groups: {
    all: (count) => `Select all: ${count}`,
    found: (count) => `Found in the statement: ${count}`,
    unclear: (count) => `Several members fit, tick the right one: ${count}`,
    otherSum: (count) => `Similar, but another sum or name: ${count}`,
    missing: (count) => `Not in the statement: ${count}`,
  },
  list: (count) => `Show who they are: ${count}`,
  receipt: "Receipt",
  receiptOf: (name) => `Receipt: ${name}`,
  chosen: (count) => `Selected: ${members(count)}`,
  confirm: (count) => (count === 0 ? "Confirm" : `Confirm: ${count}`),
  progress: (done, count) => `${done} of ${count}`,
  done: (count) => `Confirmed: ${members(count)}`,
  left: (count) => `Left out: ${members(count)}`,
  rest: (count) => `Remaining: ${count}`,
  close: "Done",
  decline: (count) => `Decline: ${count}`,
  declineLead:
    "Each of them sees this answer and can report the payment again. The month's status and the subscription stay the same.",
  declined: (count) => `Declined: ${members(count)}`,
  back: "Back",
  statement: {
    label: "Bank statement (optional)",
    hint: "Paste lines from a bank's app or a CSV file. Those with the same sum and name are ticked; you confirm them.",
    found: (matched, unclear, left) =>
      [
        `Found: ${members(matched)}`,
        ...(unclear ? [`unclear: ${unclear}`] : []),
        ...(left ? [`without a match: ${left}`] : []),
      ].join(", "),
    nothing: "Nothing came in by these lines.",
    unclear: "Lines that several members fit",
    fits: (names) => `One of: ${names}`,
    left: (count) => `Lines without a match: ${count}`,
    sameName: (names) => `Like ${names}, but another sum or surname, or ticked already`,
    entry: (text) => `in the statement: ${text}`,
  },
};
