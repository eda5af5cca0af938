export const lost = {
  title: "Lost phone",
  lead: "Enter your username. Before anything is disconnected, the club makes sure that it is you: the bot asks in your linked Telegram, or an admin contacts you if you have none.",
  cuts: "Once that is confirmed, the lost device's key stops working at once, and you get a file for a new one.",
  withoutMessenger: "I have no Telegram either",
  withoutMessengerHint: "The admins get the request.",
  send: "Report it",
  sending: "Sending...",
  failed: "Could not report it",
  sentTitle: "Request received",
  sent: "If there is such a member, the bot has asked them in Telegram or the admins have the request. You need not repeat it: a second one adds nothing.",
  sentNext: "Still no answer? Write to an admin yourself.",
  done: "Got it",
};
