export { DeviceField, DnsField, NameField } from "./config-fields.tsx";
export { DeviceCheck, DeviceCheckLine } from "./device-check.tsx";
export { suggestedName } from "./first-device.ts";
export { servicesQuery } from "./queries.ts";
export { ServerField } from "./server-field.tsx";
export { ServicesField } from "./services-field.tsx";
export { servicesAtFirst } from "./suggested-services.ts";
export { type Lists, nameError } from "./use-new-config.ts";
export { WithLists } from "./with-lists.tsx";
