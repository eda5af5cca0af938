import type { servicesWords as ru } from "./services-words-ru.ts";

export const servicesWords: typeof ru = {
  search: "Find a service",
  nothing: "There is no such service.",
};
