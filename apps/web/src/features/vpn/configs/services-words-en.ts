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
  routed: {
    title: "Services",
    titleOf: (name) => `Services: ${name}`,
    stays: "They switch at once, and the file stays the same.",
    once: "Download the file once more: after that, services switch here without a new file.",
    later: "Later, switch services on the card: the file stays the same.",
    more: (count) => `${count} more`,
    allOf: (name) => `All services: ${name}`,
    closed: "does not open",
    down: {
      wait: (exit, since) => `The exit “${exit}” has not answered since ${since}. Its services open when it is back.`,
      direct: (exit, since) =>
        `The exit “${exit}” has not answered since ${since}. Meanwhile traffic leaves straight from your server.`,
      other: (exit, since, other) =>
        `The exit “${exit}” has not answered since ${since}. Meanwhile traffic leaves by “${other}”.`,
    },
    making: (exit) => `The exit “${exit}” is still being connected.`,
    last: "At least one service must stay.",
    failed: "Could not switch it",
    listFailed: "Could not load the services.",
  },
};
