export const outbox = {
  choose: "What to tell in Telegram and browsers",
  groups: {
    subscription: "Subscription, payments and traffic",
    devices: "What was done to my devices",
    connections: "The first connection of my devices",
    support: "Answers of support",
    club: "Maintenance",
    servers: "Servers and addresses",
    tickets: "New tickets",
    joining: "New members",
    digest: "A morning summary of the day before",
  },
  failed: "Could not be saved",
};
