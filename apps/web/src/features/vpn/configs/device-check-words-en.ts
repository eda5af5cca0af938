import type { deviceCheck as ru } from "./device-check-words-ru.ts";

export const deviceCheck: typeof ru = {
  check: "Check",
  checkOf: (name) => `Check ${name}`,
  checking: "Checking...",
  at: (time) => `Checked at ${time}`,
  again: "Again",
  againOf: (name) => `Check ${name} again`,
  more: "What the member sees",
  failed: "The check failed",
  gone: "This device is gone: it was deleted.",
  details: "Details",
  detailsOf: (name) => `Details: ${name}`,
};
