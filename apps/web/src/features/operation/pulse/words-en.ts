import { counter, countText } from "@krug/domain/plural";

const long = (count: number) => countText("en", count);
const days = counter("en", { one: "day", other: "days" });
const hours = counter("en", { one: "hour", other: "hours" });
const ofDevices = counter("en", { one: "device", other: "devices" });

/** The first screen of the administration area. */
export const pulse = {
  failed: "Error loading data. Please try later.",
  waiting: {
    title: "Waiting for you",
    calm: "All is well",
    calmMore: "Servers answer, backups are fresh, and nobody waits for an answer.",
    calmBefore: "All was well when last heard",
    forAdmin: "An admin will fix this.",
  },
  ending: {
    title: "Ending within 7 days",
    nobody: "Nobody this week.",
    left: { days: (count: number) => `${days(count)} left`, hours: (count: number) => `${hours(count)} left` },
    all: (count: number) => `All ${long(count)}`,
  },
  club: {
    title: "The club",
    online: "online",
    wasOnline: "were online",
    of: (count: number) => `of ${ofDevices(count)}`,
    noDevices: "No devices yet",
    members: "Members",
    joined: (count: number) => `+${long(count)} this week`,
    noneJoined: "nobody joined this week",
    blocked: (count: number) => `${long(count)} blocked`,
    alone: "Only you so far. An invite code brings the first member.",
    traffic: "Traffic",
    trafficIn: "in 24 hours",
    noTraffic: "No traffic in 24 hours",
    revenue: "Came in",
    revenueIn: (month: string) => `in ${month}`,
    before: (month: string, sum: string) => `${month}: ${sum}`,
    noRevenue: "No payments yet",
    nothing: "0",
  },
};
