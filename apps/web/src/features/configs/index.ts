export { allTraffic, suggestedName } from "./first-device.ts";
export { dnsQuery, servicesQuery } from "./queries.ts";
export { ServerField } from "./server-field.tsx";
export { ServicesField } from "./services-field.tsx";
export { type Lists, nameError } from "./use-new-config.ts";
