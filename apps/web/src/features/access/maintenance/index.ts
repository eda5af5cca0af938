export { maintenanceQuery, noteMaintenance } from "./queries.ts";
