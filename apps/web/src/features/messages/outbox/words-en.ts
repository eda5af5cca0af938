export const outbox = {
  choose: "What to send to Telegram and browsers",
  groups: {
    subscription: "Subscription, payments and traffic",
    devices: "Changes to my devices",
    connections: "First connections of my devices",
    support: "Support's answers",
    club: "Maintenance",
    servers: "Servers and addresses",
    tickets: "New tickets",
    chats: "Messages to support",
    claims: "Members who say they have paid",
    joining: "New members",
    digest: "A morning summary of the day before",
  },
  failed: "Could not save",
};
