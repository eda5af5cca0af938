export const month = {
  title: "Traffic over 30 days",
  caption: (name: string) => `${name}: traffic by day`,
  day: "Day",
  received: "Incoming",
  sent: "Outgoing",
  total: "Total",
  gaps: "Days without traffic are left out.",
};
