export const quota = {
  gigabytes: "Traffic a month, GB",
  hint: "Received and sent together. Counting starts again each month and after a payment.",
  noQuota: "Unlimited traffic",
  wrong: "Enter a number from 0.01 to 1,048,576, with at most two decimals",
  choices: { cut: "Switch the VPN off", slow: "Slow down", tell: "Only notify" },
  any: "unlimited",
  used: {
    cut: (used: string, all: string, day: string) => `${used} of ${all} until ${day}`,
    slow: (used: string, all: string, day: string, mbit: number) =>
      `${used} of ${all} until ${day}, beyond that slow: ${mbit} Mbit/s`,
    tell: (used: string, all: string, day: string) => `${used} of ${all} until ${day}, no cut-off`,
  },
  reset: "Reset",
  resetAsk: (name: string) => `Reset the traffic count: ${name}?`,
  resetText: "Traffic used this month no longer counts. If the VPN was switched off, it works again at once.",
  resetWorking: "Resetting...",
  resetDone: "The traffic count is reset",
};
