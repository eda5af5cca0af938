export { maintenanceQuery } from "./queries.ts";
