import type { servicesWords as ru } from "./services-words-ru.ts";

export const servicesWords: typeof ru = {
  search: "Find a service",
  nothing: "There is no such service.",
  ask: "Something missing?",
  name: "Which service you need",
  send: "Ask for it",
  sending: "Sending...",
  sent: (name) => `You asked for ${name}. We will let you know when it is added.`,
  failed: "Could not send the request",
  subject: (name) => `Service needed: ${name}`,
  description: (name) => `Please add the service “${name}”: it is not in the list.`,
};
