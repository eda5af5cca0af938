export const quota = {
  label: "Traffic this month",
  used: (used: string, all: string) => `Traffic: ${used} of ${all}`,
  resets: (day: string) => `resets on ${day}`,
  slow: (day: string, mbit: string) => `Slow until ${day}: ${mbit} Mbit/s`,
  over: "This month's traffic is used up",
  overMore: (all: string, day: string) =>
    `All ${all} are used. The VPN comes back by itself on ${day}. The files stay the same.`,
  ask: "How to get more",
  question: "Hello. I have used up this month's traffic. What should I do to get more?",
};
