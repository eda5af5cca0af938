export { DeviceCheck, DeviceCheckLine } from "./device-check.tsx";
export { suggestedName } from "./first-device.ts";
export { dnsQuery, servicesQuery } from "./queries.ts";
export { ServerField } from "./server-field.tsx";
export { ServicesField } from "./services-field.tsx";
export { servicesAtFirst, suggestedServicesQuery } from "./suggested-services.ts";
export { type Lists, nameError } from "./use-new-config.ts";
