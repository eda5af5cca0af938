export const lost = {
  title: "Lost phone",
  lead: "Give your login. Before anything is disconnected the club makes sure that it is you: the bot asks in your linked Telegram, and without Telegram an admin contacts you.",
  cuts: "Once that is confirmed, the lost device's key stops working at once, and you get a file for a new one.",
  withoutMessenger: "I have no Telegram either",
  withoutMessengerHint: "The admins get the request.",
  send: "Report it",
  sending: "Sending...",
  failed: "Could not report it",
  sentTitle: "Request received",
  sent: "If there is such a member, the bot has asked them in Telegram, or the admins have the request. No need to repeat it: a second one adds nothing.",
  sentNext: "No answer for long? Write to an admin yourself.",
  done: "Got it",
};
