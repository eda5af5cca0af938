import { counter } from "@krug/domain/plural";

const seconds = counter("en", { one: "second", other: "seconds" });
const minutes = counter("en", { one: "minute", other: "minutes" });
const hours = counter("en", { one: "hour", other: "hours" });
const days = counter("en", { one: "day", other: "days" });

export const age = {
  never: "never",
  now: "just now",
  seconds: (count: number) => `${seconds(count)} ago`,
  minutes: (count: number) => (count === 1 ? "a minute ago" : `${minutes(count)} ago`),
  hours: (count: number) => (count === 1 ? "an hour ago" : `${hours(count)} ago`),
  days: (count: number) => `${days(count)} ago`,
  today: "today",
  yesterday: "yesterday",
  badDate: "Invalid date",
};
